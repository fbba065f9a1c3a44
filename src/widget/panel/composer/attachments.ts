import { html, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { ownPixels } from '../../platform/own-pixels.ts';
import { closeIcon, fileIcon, icon, retryIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import type { Upload } from '../../content/files/upload-list.ts';
import { ExtraStringsElement } from '../extra-strings-element.ts';
import { attachmentsStyles } from './attachments.styles.ts';

/** The visitor asks to remove or retry an attachment. */
export class AttachmentEvent extends Event {
  static readonly type = 'agent-chat-attachment';
  constructor(
    readonly action: 'remove' | 'retry',
    readonly file: File,
  ) {
    super(AttachmentEvent.type);
  }
}

/**
 * The documents attached to the next message.
 *
 * @element agent-chat-attachments
 * @fires agent-chat-attachment - The visitor asks to remove or retry an attachment
 * @csspart attachment
 */
export class AttachmentsElement extends ExtraStringsElement {
  static override styles = [sharedStyles, attachmentsStyles];

  @property({ attribute: false }) attachments: readonly Upload[] = [];

  override render(): unknown {
    if (this.attachments.length === 0) return nothing;
    return html`<ul class="scrolls" aria-label=${this.words.t('attach.list')}>
      ${repeat(
        this.attachments,
        ({ file }) => file,
        (attachment) => this.renderAttachment(attachment),
      )}
    </ul>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('attachments')) return;
    const known = (changed.get('attachments') ?? []).filter(({ state }) => state === 'failed');
    const index = this.attachments.findLastIndex(
      ({ file, state }) => state === 'failed' && !known.some((one) => one.file === file),
    );
    const chip = this.renderRoot.querySelectorAll('li')[index];
    if (chip) scrollIntoRow(chip);
  }

  private renderAttachment({ file, state, progress, refusal, isUnreadable }: Upload): unknown {
    const { words } = this;
    const { name } = file;
    return html`<li class=${state} part="attachment">
      ${icon(fileIcon)}<span class="name" dir="auto" title=${name}>${name}</span>
      ${
        state === 'uploading'
          ? html`${
                progress === undefined
                  ? nothing
                  : html`<span class="state"
                      >${new Intl.NumberFormat(words.locale, { style: 'percent' }).format(progress)}</span
                    >`
              }
              <progress
                max="1"
                value=${progress ?? nothing}
                aria-label=${words.t('attach.uploading', { name })}
              ></progress>`
          : nothing
      }
      ${
        state === 'failed'
          ? html`<span class="state" dir="auto">${refusal || words.t('attach.failed')}</span>
              ${refusal || isUnreadable ? nothing : this.renderButton('attach.retry', retryIcon, 'retry', file)}`
          : nothing
      }
      ${this.renderButton('attach.remove', closeIcon, 'remove', file)}
    </li>`;
  }

  private renderButton(
    key: 'attach.retry' | 'attach.remove',
    shape: typeof closeIcon,
    action: 'remove' | 'retry',
    file: File,
  ): unknown {
    const label = this.words.t(key, { name: file.name });
    const onClick = ({ currentTarget }: MouseEvent): void => {
      // Retry goes, Remove stays
      const next = (currentTarget as Element).nextElementSibling;
      if (next instanceof HTMLElement) next.focus();
      this.dispatchEvent(new AttachmentEvent(action, file));
    };
    return html`<button
      class="icon-button small"
      type="button"
      aria-label=${label}
      title=${label}
      @click=${onClick}
    >
      ${icon(shape)}
    </button>`;
  }
}

/** Scrolls a row so far that a chip and its buttons are in view. Nothing else scrolls. */
function scrollIntoRow(chip: Element): void {
  const row = chip.parentElement;
  if (!row) return;
  const [inner, outer] = [chip.getBoundingClientRect(), row.getBoundingClientRect()];
  const ahead = Math.max(0, inner.right - outer.right) - Math.max(0, outer.left - inner.left);
  row.scrollLeft += ahead * ownPixels(row);
}
