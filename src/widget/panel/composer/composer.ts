import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { consume } from '@lit/context';
import { property, query, state } from 'lit/decorators.js';
import type { SessionState } from '../../../session/index.ts';
import { visibleText } from '../../../conversation/read-values.ts';
import { configContext, sessionContext, type PanelConfig } from '../../contexts.ts';
import { loadModule } from '../../platform/load-module.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { documentNames } from '../document-names.ts';
import { AnnounceEvent } from '../../events/announce-event.ts';
import { attachIcon, sendIcon, stopIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { icon } from '../../theme/icon.ts';
import type { StringKey } from '../../i18n/strings.ts';
import type { AttachmentEvent } from './attachments.ts';
import type { AttachmentsController } from './attachments-controller.ts';
import { composerStyles } from './composer.styles.ts';
import type { MentionsController } from './mentions-controller.ts';

/** Longest message, in characters; our service's own limit. */
export const maxMessageLength = 100_000;

const attachments = new LazyElement('agent-chat-attachments', () =>
  import('./attachments.ts').then((part) => part.AttachmentsElement),
);

/**
 * Where a visitor writes. Enter sends, Shift+Enter breaks the line; Send becomes Stop while an answer comes in.
 *
 * @element agent-chat-composer
 * @slot actions - More buttons, beside Send
 * @csspart composer
 * @csspart input
 * @csspart send
 */
export class ComposerElement extends LitElement {
  static override styles = [sharedStyles, composerStyles];

  @consume({ context: configContext, subscribe: true })
  @property({ attribute: false })
  panel: PanelConfig | undefined;
  @consume({ context: sessionContext, subscribe: true })
  @property({ attribute: false })
  session: SessionState | undefined;
  /** What is written and not sent yet. */
  @property() draft = '';
  @state() private dropping = false;
  /** What was sent goes out once its documents are uploaded. */
  @state() private waiting = false;
  /** Batches of picked files that the code for attachments, which is still loading, has not taken yet. */
  @state() private untaken = 0;
  /** Name of a picked file that was lost because that code could not be loaded. */
  @state() private lost = '';
  /** It was not sent, as a document could not be uploaded. */
  @state() private blocked = false;
  @query('textarea') private readonly input!: HTMLTextAreaElement;
  @query('input[type=file]') private readonly picker!: HTMLInputElement;
  /** There once the host lets visitors attach documents or mention somebody. */
  #attachments: AttachmentsController | undefined;
  #mentions: MentionsController | undefined;
  #extras: Promise<void> | undefined;

  /** Puts the caret into the text. */
  override focus(options?: FocusOptions): void {
    this.input.focus(options);
  }

  /** Puts text that was not sent before the draft, and announces it. */
  giveBack(text: string): void {
    this.#write([text, this.draft].filter(Boolean).join('\n\n'));
    this.#say('composer.returned');
  }

  protected override updated(changed: PropertyValues): void {
    const { panel } = this;
    if (panel && (panel.uploadDocument || panel.mentionables.length > 0)) void this.#bringExtras();
    if (this.waiting && !this.#isPending) this.#send();
    if (this.blocked && !this.#attachments?.failed) this.blocked = false;
    if (changed.has('draft') && this.input.value !== this.draft) {
      this.input.value = this.draft;
      this.#fit();
    }
  }

  override render(): unknown {
    const { panel } = this;
    if (!panel) return nothing;
    const { words } = panel;
    const mentions = panel.mentionables.length > 0;
    return html`${
        this.#tooLong > 0
          ? html`<p class="fault" id="fault">${words.t('composer.too-long', { count: this.#tooLong })}</p>`
          : nothing
      }
      ${this.blocked ? html`<p class="fault">${words.t('attach.blocked')}</p>` : nothing}
      ${this.lost ? html`<p class="fault">${words.t('file.failed', { name: this.lost })}</p>` : nothing}
      ${this.waiting ? html`<p class="waiting">${words.t('composer.uploading')}</p>` : nothing}
      ${this.#attachments?.attachments.length ? this.renderAttachments(this.#attachments, panel) : nothing}
      ${this.#mentions?.render(words, () => this.input) ?? nothing}
      <div
        class="box ${panel.uploadDocument ? 'attaches' : ''} ${this.dropping ? 'dropping' : ''}"
        part="composer"
        data-drop=${words.t('attach.drop')}
        @mousedown=${this.#onBoxPress}
        @dragover=${this.#onDragOver}
        @dragleave=${() => (this.dropping = false)}
        @drop=${this.#onDrop}
      >
        ${panel.uploadDocument ? this.renderAttach(panel) : nothing}
        <textarea
          class="scrolls"
          part="input"
          rows="1"
          dir=${this.draft ? 'auto' : nothing}
          enterkeyhint="send"
          autocomplete="off"
          aria-label=${words.t('composer.label')}
          aria-describedby=${this.#tooLong > 0 ? 'fault' : nothing}
          aria-invalid=${this.#tooLong > 0 ? 'true' : nothing}
          placeholder=${panel.config.placeholder || words.t('composer.placeholder')}
          aria-autocomplete=${mentions ? 'list' : nothing}
          aria-haspopup=${mentions ? 'listbox' : nothing}
          aria-controls=${this.#mentions?.isOpen ? 'mentions' : nothing}
          aria-activedescendant=${this.#mentions?.activeId ?? nothing}
          @input=${this.#onInput}
          @keydown=${this.#onKey}
          @paste=${this.#onPaste}
          @blur=${() => this.#mentions?.close()}
        ></textarea>
        <slot name="actions"></slot>
        ${this.renderSend(panel)}
      </div>`;
  }

  private renderAttachments({ attachments: list }: AttachmentsController, { words }: PanelConfig): unknown {
    attachments.request(this);
    return html`<agent-chat-attachments
      exportparts="attachment"
      .attachments=${list}
      .words=${words}
      @agent-chat-attachment=${this.#onAttachment}
    ></agent-chat-attachments>`;
  }

  private renderAttach({ words }: PanelConfig): unknown {
    return html`<button
        class="icon-button attach"
        part="attach"
        type="button"
        aria-label=${words.t('attach.add')}
        title=${words.t('attach.add')}
        @click=${() => this.picker.click()}
      >
        ${icon(attachIcon)}
      </button>
      <input type="file" multiple hidden tabindex="-1" aria-hidden="true" @change=${this.#onPick} />`;
  }

  /** One button that is Send or Stop, so that focus stays when one becomes the other. */
  private renderSend({ words }: PanelConfig): unknown {
    const stop = this.#stops;
    const label = words.t(stop ? 'composer.stop' : 'composer.send');
    const off = !stop && (this.waiting || this.#tooLong > 0 || (!visibleText(this.draft) && !this.#hasFiles));
    return html`<button
      class="icon-button main"
      part="send"
      type="button"
      aria-label=${label}
      title=${this.waiting ? words.t('composer.uploading') : label}
      aria-disabled=${off ? 'true' : 'false'}
      @click=${this.#onButton}
    >
      ${stop ? icon(stopIcon, 'filled') : icon(sendIcon)}
    </button>`;
  }

  /** Characters too many. */
  get #tooLong(): number {
    return Math.max(0, this.draft.length - maxMessageLength);
  }

  get #stops(): boolean {
    return Boolean(this.session?.canStop) && !visibleText(this.draft) && !this.#hasFiles;
  }

  get #hasFiles(): boolean {
    return this.untaken > 0 || Boolean(this.#attachments?.attachments.length);
  }

  /** A file is not uploaded yet, so a message would go out without it. */
  get #isPending(): boolean {
    return this.untaken > 0 || Boolean(this.#attachments?.pending);
  }

  readonly #onButton = (): void => {
    if (this.#stops) this.dispatchEvent(new PanelRequest({ kind: 'stop' }));
    else this.#send();
  };

  readonly #onInput = (): void => {
    const before = this.#tooLong;
    this.waiting = false; // what is still written on is not sent yet
    this.lost = '';
    this.draft = this.input.value;
    if (this.#tooLong && !before) this.#sayTooLong();
    this.#fit();
    this.#mentions?.update(this.input, this.panel?.mentionables ?? []);
    this.dispatchEvent(new PanelRequest({ kind: 'draft', text: this.draft }));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (this.#mentions?.onKey(event, this.input)) return;
    // 229: an input method is composing, in engines that do not say so
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#send();
  };

  readonly #onBoxPress = (event: Event): void => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    this.input.focus();
  };

  readonly #onPick = (): void => {
    void this.#attach([...(this.picker.files ?? [])]);
    this.picker.value = '';
  };

  readonly #onPaste = (event: ClipboardEvent): void => {
    const data = event.clipboardData;
    if (!data?.files.length || !this.panel?.uploadDocument) return;
    // an office program puts a picture of the words beside them
    if (data.getData('text/plain') && data.getData('text/html')) return;
    event.preventDefault();
    void this.#attach([...data.files]);
  };

  readonly #onDragOver = (event: DragEvent): void => {
    if (!this.panel?.uploadDocument || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.dropping = true;
  };

  readonly #onDrop = (event: DragEvent): void => {
    this.dropping = false;
    if (!this.panel?.uploadDocument || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    void this.#attach([...event.dataTransfer.files]);
  };

  readonly #onAttachment = (event: AttachmentEvent): void => {
    if (event.action === 'remove') this.#removeAttachment(event);
    else if (this.panel?.uploadDocument) this.#attachments?.retry(event.file, this.panel.uploadDocument);
  };

  /** Focus that was on the Remove button moves to the text, unless a finger put it there: that brings up a keyboard. */
  #removeAttachment({ file, target }: AttachmentEvent): void {
    const root = target instanceof Element ? target.shadowRoot : null;
    const isByKey = root?.querySelector('button:focus-visible');
    this.#attachments?.remove(file);
    if (isByKey) this.focus();
  }

  /** Fetches what keeps documents and mentions, once. It is asked for again when it is needed and did not come. */
  #bringExtras(): Promise<void> {
    this.#extras ??= loadModule(this, 'A part of the composer', () => import('./composer-extras.ts')).then(
      (part) => {
        if (!part) this.#extras = undefined;
        else {
          part.adoptComposerStyles(this.renderRoot);
          this.#attachments = new part.AttachmentsController(this);
          this.#mentions = new part.MentionsController(this);
          this.#mentions.update(this.input, this.panel?.mentionables ?? []); // `@` may have come first
        }
      },
    );
    return this.#extras;
  }

  async #attach(files: readonly File[]): Promise<void> {
    this.lost = '';
    this.untaken += 1;
    await this.#bringExtras();
    this.untaken -= 1;
    const { uploadDocument, words } = this.panel ?? {};
    if (uploadDocument && this.#attachments) return this.#attachments.add(files, uploadDocument);
    this.waiting = false; // the visitor decides whether to send without the file
    if (!words || !files[0]) return;
    this.lost = files[0].name;
    this.dispatchEvent(new AnnounceEvent(words.t('file.failed', { name: this.lost })));
  }

  #send(): void {
    const text = visibleText(this.draft);
    const { failed = false, ids: documentIds = [] } = this.#attachments ?? {};
    const pending = this.#isPending;
    if (this.#tooLong > 0) return this.#sayTooLong();
    if (!text && !this.#hasFiles) return;
    if (pending && !this.waiting) this.#say('composer.uploading');
    if (failed && !pending && !this.blocked) this.#say('attach.blocked');
    this.waiting = pending;
    this.blocked = failed && !pending;
    if (pending || failed) return;
    const mentions = this.#mentions?.take(text) ?? [];
    const attached = this.#attachments?.take() ?? [];
    this.lost = '';
    for (const { id, file } of attached) if (id) documentNames.set(id, file.name);
    this.input.value = '';
    this.#write('');
    const keptBack = (): void => {
      this.#attachments?.giveBack(attached);
      this.#mentions?.giveBack(
        (this.panel?.mentionables ?? []).filter(({ id }) => mentions.some((mention) => mention.id === id)),
      );
      this.#write([text, this.draft].filter(Boolean).join('\n')); // what was written meanwhile comes after it
    };
    this.dispatchEvent(new PanelRequest({ kind: 'send', text, mentions, documentIds, onRejected: keptBack }));
  }

  #say(key: StringKey, values?: { readonly count: number }): void {
    if (this.panel) this.dispatchEvent(new AnnounceEvent(this.panel.words.t(key, values)));
  }

  #sayTooLong(): void {
    this.#say('composer.too-long', { count: this.#tooLong });
  }

  #write(text: string): void {
    this.draft = text;
    this.#fit();
    this.dispatchEvent(new PanelRequest({ kind: 'draft', text }));
  }

  /** Grows with the text where the engine does not do so by itself. */
  #fit(): void {
    this.input.style.height = 'auto';
    if (!CSS.supports('field-sizing', 'content')) this.input.style.height = `${this.input.scrollHeight}px`;
  }
}
