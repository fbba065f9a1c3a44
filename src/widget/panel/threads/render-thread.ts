import { html, nothing, type TemplateResult } from 'lit';
import type { ListedThread } from '../../../protocol/index.ts';
import type { ExtraStrings } from '../../i18n/extra-strings.ts';
import type { Strings } from '../../i18n/strings.ts';
import { icon } from '../../theme/icon.ts';
import { moreIcon } from './icons.ts';
import { markFound } from './mark-found.ts';
import { threadTime } from './thread-time.ts';

/** What a row offers besides opening its conversation. */
export type RowMode =
  | { readonly kind: 'choose' }
  | { readonly kind: 'rename'; readonly title: string; readonly hasFailed?: boolean }
  | { readonly kind: 'remove'; readonly hasFailed?: boolean };

/** How a row looks, and what it does. */
export interface RowView {
  readonly words: Strings;
  readonly strings: ExtraStrings;
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
  const { words, strings, query, isCurrent, isActive, mode } = view;
  const { last_message: last, match, unread } = thread;
  const title = thread.title || strings('threads.untitled');
  const line =
    match?.message_id != null
      ? markFound(match.text, query)
      : last?.role === 'user'
        ? strings('threads.you', { text: last.text })
        : last?.text;
  const at = match?.created_on || thread.updated_on;
  const options = strings('threads.options', { title });
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
                ><span class="visually-hidden">${strings('threads.unread', { count: unread })}</span></span
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
  const { strings } = view;
  return html`<div class="bar">
    <button class="button" type="button" @click=${() => view.become({ kind: 'rename', title: thread.title })}>
      ${strings('threads.rename')}
    </button>
    <button class="button bad" type="button" @click=${() => view.become({ kind: 'remove' })}>
      ${strings('threads.delete')}
    </button>
  </div>`;
}

function renderConfirmation({ hasFailed }: { readonly hasFailed?: boolean }, view: RowView): TemplateResult {
  const { strings } = view;
  return html`<div class="bar" role="group" aria-labelledby="ask">
    <p id="ask">${strings(hasFailed ? 'threads.change-failed' : 'threads.confirm')}</p>
    <button class="button" type="button" @click=${() => view.become(undefined)}>
      ${strings('threads.keep')}
    </button>
    <button class="button bad" type="button" @click=${() => view.remove()}>
      ${strings('threads.delete')}
    </button>
  </div>`;
}

function renderRename(
  { title, hasFailed }: { readonly title: string; readonly hasFailed?: boolean },
  view: RowView,
): TemplateResult {
  const { words, strings } = view;
  const send = (event: Event): void => {
    event.preventDefault();
    // the form that is submitted, and its only field
    view.rename((event.currentTarget as HTMLFormElement).querySelector('input')?.value ?? '');
  };
  return html`<form @submit=${send}>
    ${hasFailed ? html`<p class="fault">${strings('threads.change-failed')}</p>` : nothing}
    <input
      class="field"
      dir="auto"
      maxlength=${longestTitle}
      autocomplete="off"
      aria-label=${strings('threads.name')}
      .value=${title}
    />
    <button class="button main" type="submit">${strings('threads.save')}</button>
    <button class="button" type="button" @click=${() => view.become(undefined)}>
      ${words.t('actions.cancel')}
    </button>
  </form>`;
}
