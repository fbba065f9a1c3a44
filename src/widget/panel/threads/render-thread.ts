import { html, nothing, type TemplateResult } from 'lit';
import type { ListedThread } from '../../../protocol/index.ts';
import type { Strings } from '../../i18n/strings.ts';
import { icon } from '../../theme/icons.ts';
import { threadTime } from './thread-time.ts';

const moreIcon = 'M5 12h.01M12 12h.01M19 12h.01';

/** What a row offers besides opening its conversation. */
export type RowMode =
  | { readonly kind: 'choose' }
  | { readonly kind: 'rename'; readonly title: string; readonly hasFailed?: boolean }
  | { readonly kind: 'remove'; readonly hasFailed?: boolean; readonly isRunning?: boolean };

/** How a row looks, and what it does. */
export interface RowView {
  readonly words: Strings;
  readonly query: string;
  readonly isCurrent: boolean;
  /** Whether the Tab key reaches it. */
  readonly isActive: boolean;
  readonly mode: RowMode | undefined;
  open(): void;
  become(mode: RowMode | undefined): void;
  rename(title: string): void;
  remove(): void;
}

const longestTitle = 200;

/** Renders one conversation of the list. */
export function renderThread(thread: ListedThread, view: RowView): TemplateResult {
  const { isCurrent, mode } = view;
  const kind = `${isCurrent ? 'current' : ''} ${thread.unread > 0 ? 'unread' : ''} ${mode ? 'unfolded' : ''}`;
  return html`<li class=${kind} data-id=${thread.id}>
    ${mode?.kind === 'rename' ? renderRename(mode, view) : renderRow(thread, view)}
    ${mode?.kind === 'choose' ? renderChoices(thread, view) : nothing}
    ${mode?.kind === 'remove' ? renderConfirmation(mode, view) : nothing}
  </li>`;
}

function renderRow(thread: ListedThread, view: RowView): TemplateResult {
  const { words, query, isCurrent, isActive, mode } = view;
  const { last_message: last, match, unread } = thread;
  const title = thread.title || words.t('threads.untitled');
  const line =
    match?.message_id != null
      ? markFound(match.text, query)
      : last?.role === 'user'
        ? words.t('threads.you', { text: last.text })
        : last?.text;
  const at = match?.created_on || thread.updated_on;
  const options = words.t('threads.options', { title });
  return html`<button
      class="open"
      type="button"
      tabindex=${isActive ? 0 : -1}
      aria-current=${isCurrent ? 'true' : nothing}
      @click=${() => view.open()}
      @contextmenu=${(event: Event) => {
        event.preventDefault();
        view.become({ kind: 'choose' });
      }}
    >
      <span class="pair">
        <span class="title" dir="auto" title=${title}>${query ? markFound(title, query) : title}</span>
        <time datetime=${at}>${threadTime(at, words)}</time>
      </span>
      <span class="pair">
        <span class="line" dir="auto">${line}</span>
        ${
          unread > 0
            ? html`<span class="dot"
                ><span aria-hidden="true">${unread > 99 ? '99+' : unread.toLocaleString(words.locale)}</span
                ><span class="visually-hidden">${words.t('threads.unread', { count: unread })}</span></span
              >`
            : nothing
        }
      </span>
    </button>
    <button
      class="icon-button small more"
      type="button"
      tabindex=${isActive ? 0 : -1}
      aria-expanded=${mode?.kind === 'choose' ? 'true' : 'false'}
      aria-label=${options}
      title=${options}
      @click=${() => view.become(mode ? undefined : { kind: 'choose' })}
    >
      ${icon(moreIcon)}
    </button>`;
}

function renderChoices(thread: ListedThread, view: RowView): TemplateResult {
  const { words } = view;
  return html`<div class="bar">
    <button class="button" type="button" @click=${() => view.become({ kind: 'rename', title: thread.title })}>
      ${words.t('threads.rename')}
    </button>
    <button class="button bad" type="button" @click=${() => view.become({ kind: 'remove' })}>
      ${words.t('threads.delete')}
    </button>
  </div>`;
}

function renderConfirmation(
  { hasFailed, isRunning }: { readonly hasFailed?: boolean; readonly isRunning?: boolean },
  view: RowView,
): TemplateResult {
  const { words } = view;
  const busy = isRunning ? 'true' : nothing;
  return html`<div class="bar" role="group" aria-labelledby="ask" aria-busy=${busy}>
    <p id="ask">${words.t(hasFailed ? 'threads.change-failed' : 'threads.confirm')}</p>
    <button
      class="button"
      type="button"
      aria-disabled=${busy}
      @click=${() => isRunning || view.become(undefined)}
    >
      ${words.t('threads.keep')}
    </button>
    <button class="button bad" type="button" aria-disabled=${busy} @click=${() => view.remove()}>
      ${words.t('threads.delete')}
    </button>
  </div>`;
}

function renderRename(
  { title, hasFailed }: { readonly title: string; readonly hasFailed?: boolean },
  view: RowView,
): TemplateResult {
  const { words } = view;
  const send = (event: Event): void => {
    event.preventDefault();
    // the form that is submitted, and its only field
    view.rename((event.currentTarget as HTMLFormElement).querySelector('input')?.value ?? '');
  };
  return html`<form @submit=${send}>
    ${hasFailed ? html`<p class="fault">${words.t('threads.change-failed')}</p>` : nothing}
    <input
      class="field"
      dir="auto"
      maxlength=${longestTitle}
      autocomplete="off"
      aria-label=${words.t('threads.name')}
      .value=${title}
    />
    <button class="button main" type="submit">${words.t('threads.save')}</button>
    <button class="button" type="button" @click=${() => view.become(undefined)}>
      ${words.t('actions.cancel')}
    </button>
  </form>`;
}

/** Renders a text with the words of a query marked, as far as they are spelled alike. */
function markFound(text: string, query: string): unknown {
  const words = query.match(/[\p{L}\p{N}\p{M}]+/gu);
  if (!words) return text;
  const longestFirst = words.sort((one, other) => other.length - one.length);
  const parts = text.split(new RegExp(`(${longestFirst.join('|')})`, 'giu'));
  return parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part));
}
