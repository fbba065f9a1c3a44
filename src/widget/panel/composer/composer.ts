import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { consume } from '@lit/context';
import { property, query, state } from 'lit/decorators.js';
import type { ConversationMessage } from '../../../conversation/conversation.ts';
import type { SessionState } from '../../../session/index.ts';
import { visibleText } from '../../../conversation/read-values.ts';
import { maxMessageLength } from '../../config/max-message-length.ts';
import { configContext, type PanelConfig, sessionContext } from '../../contexts.ts';
import { loadModule } from '../../platform/load-module.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { sentFiles } from '../sent-files.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { attachIcon, icon, sendIcon, stopIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import type { StringKey } from '../../i18n/strings.ts';
import type { AttachmentsController } from './attachments-controller.ts';
import { composerStyles } from './composer.styles.ts';
import type { MentionsController } from './mentions-controller.ts';

const dictation = new LazyElement('agent-chat-dictation', () =>
  import('../speech/dictation.ts').then((module) => module.DictationElement),
);

/** What a message that was not sent has beside its text. */
type Unsent = Pick<ConversationMessage, 'documentIds' | 'mentions'>;

/** Within this time in ms, a second press of Send belongs to the first: it does not stop the answer. */
const doubleClickMs = 500;

/** A drag whose last `dragover` is longer ago, in ms, has left the panel; browsers repeat it within 400. */
const dragPauseMs = 500;

/**
 * The input for messages. Enter sends, Shift+Enter inserts a line break. Send turns into Stop while an answer
 * streams.
 *
 * @element agent-chat-composer
 * @fires agent-chat-request - Send, stop, or a changed draft
 * @slot actions - Extra buttons beside Send
 * @csspart composer
 * @csspart input
 * @csspart attach
 * @csspart send
 */
export class ComposerElement extends LitElement {
  static override styles = [sharedStyles, composerStyles];

  @consume({ context: configContext, subscribe: true })
  @property({ attribute: false })
  panel!: PanelConfig;
  @consume({ context: sessionContext, subscribe: true })
  @property({ attribute: false })
  session!: SessionState;
  /** The unsent text. */
  @property() draft = '';
  @state() private dropping = false;
  /** True while a message waits for its uploads. */
  @state() private waiting = false;
  /** Picked files that wait for the attachments module to load. */
  @state() private picked: readonly File[] = [];
  /** Says why a pasted or picked file was not taken. */
  @state() private fileFault = '';
  /** True after sending was refused because an upload has failed. */
  @state() private blocked = false;
  @query('textarea') private readonly input!: HTMLTextAreaElement;
  @query('input[type=file]') private readonly picker!: HTMLInputElement;
  /** @internal Created once the page allows attachments or mentions. */
  attachments: AttachmentsController | undefined;
  #mentions: MentionsController | undefined;
  #extras: Promise<void> | undefined;
  #dragTimer: ReturnType<typeof setTimeout> | undefined;
  /** When Send or Stop was last pressed. */
  #pressedAt = -doubleClickMs;

  /** Focuses the text field. */
  override focus(options?: FocusOptions): void {
    this.input.focus(options);
  }

  /**
   * Puts unsent text before the draft, and announces it unless the draft of another conversation takes its place. What
   * waits for its uploads waits no longer.
   * @param messages that contain the text; their files and mentions are put back, too
   */
  async restoreText(text: string, messages: readonly Unsent[] = []): Promise<void> {
    this.waiting = false;
    this.attachments?.restore(messages);
    this.#mentions?.restore(messages);
    if (!text) return;
    const draft = [text, this.draft].filter(Boolean).join('\n\n');
    this.#setDraft(draft);
    await this.updateComplete;
    if (this.draft === draft) this.#announce('composer.returned');
  }

  /** Sends a message that was written in the shell; text that the page rejects becomes the draft. */
  sendEarly(text: string): void {
    this.#pressedAt = performance.now(); // the second click may come after the panel
    const onRejected = (): void => void this.restoreText(text);
    this.dispatchEvent(new PanelRequest({ kind: 'send', text, mentions: [], documentIds: [], onRejected }));
  }

  /** Continues the text of the shell's field after the draft, with its selection. */
  continueFrom(field: HTMLTextAreaElement): void {
    if (!field.value) return;
    const kept = this.draft ? `${this.draft}\n` : '';
    this.#setDraft(kept + field.value);
    this.input.value = this.draft;
    const { selectionStart: start, selectionEnd: end, selectionDirection } = field;
    this.input.setSelectionRange(kept.length + start, kept.length + end, selectionDirection);
    const below = field.scrollHeight - field.scrollTop - field.clientHeight;
    this.input.scrollTop = this.input.scrollHeight - this.input.clientHeight - below;
  }

  /** Attaches the shell's files; `isWaiting` sends the draft with them once they are uploaded. */
  attachEarly(files: readonly File[], isWaiting: boolean): void {
    if (files.length === 0) return;
    void this.#attach(files);
    if (isWaiting) this.#send();
  }

  /** Removes text and attachments: another visitor has come. */
  discardAll(): void {
    this.picked = [];
    this.attachments?.discard();
    this.#setDraft('');
  }

  /** Handles a drag of files over the panel, and their drop. */
  takeFiles(event: DragEvent): void {
    const data = event.dataTransfer;
    if (!this.panel.uploadDocument || !data?.types.includes('Files')) return;
    event.preventDefault(); // else the browser leaves the page to show the file
    clearTimeout(this.#dragTimer);
    this.dropping = event.type === 'dragover';
    if (this.dropping) this.#dragTimer = setTimeout(() => (this.dropping = false), dragPauseMs);
    else void this.#attach([...data.files]);
  }

  protected override updated(changed: PropertyValues): void {
    const { panel } = this;
    if (panel.uploadDocument || panel.mentionables.length > 0) void this.#loadExtras();
    if (this.waiting && !this.#isPending) this.#send();
    if (this.blocked && !this.attachments?.failed) this.blocked = false;
    if (changed.has('draft') && this.input.value !== this.draft) {
      this.input.value = this.draft;
      this.#fit();
    }
  }

  override render(): unknown {
    const { panel } = this;
    const { words } = panel;
    const mentions = panel.mentionables.length > 0;
    return html`${
        this.#tooLong > 0
          ? html`<p class="fault" id="fault">${words.t('composer.too-long', { count: this.#tooLong })}</p>`
          : nothing
      }
      ${this.blocked ? html`<p class="fault">${words.t('attach.blocked')}</p>` : nothing}
      ${this.fileFault ? html`<p class="fault">${this.fileFault}</p>` : nothing}
      ${this.waiting ? html`<p class="waiting">${words.t('composer.uploading')}</p>` : nothing}
      ${this.attachments?.render(panel) ?? nothing}
      ${this.#mentions?.render(words, () => this.input) ?? nothing}
      <div
        class="box ${panel.uploadDocument ? 'attaches' : ''} ${this.dropping ? 'dropping' : ''}"
        part="composer"
        data-drop=${words.t('attach.drop')}
        @mousedown=${this.#onBoxPress}
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
        ${panel.config.speech === 'on' ? this.renderDictation(panel) : nothing}
        <slot name="actions"></slot>
        ${this.renderSend(panel)}
      </div>`;
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

  private renderDictation({ words }: PanelConfig): unknown {
    dictation.request(this);
    return html`<agent-chat-dictation .words=${words}></agent-chat-dictation>`;
  }

  /** One button for Send and Stop, so that focus stays on it when it changes. */
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
      aria-disabled=${off}
      @click=${this.#onButton}
    >
      ${stop ? icon(stopIcon, 'filled') : icon(sendIcon)}
    </button>`;
  }

  /** Number of characters over the limit. */
  get #tooLong(): number {
    return Math.max(0, this.draft.length - maxMessageLength);
  }

  get #stops(): boolean {
    return this.session.canStop && !visibleText(this.draft) && !this.#hasFiles;
  }

  get #hasFiles(): boolean {
    return this.picked.length > 0 || Boolean(this.attachments?.attachments.length);
  }

  /** True while a file is not uploaded yet. */
  get #isPending(): boolean {
    return this.picked.length > 0 || Boolean(this.attachments?.pending);
  }

  readonly #onButton = ({ timeStamp }: MouseEvent): void => {
    const isRepeated = timeStamp - this.#pressedAt < doubleClickMs;
    this.#pressedAt = timeStamp;
    if (!this.#stops) this.#send();
    else if (!isRepeated) this.dispatchEvent(new PanelRequest({ kind: 'stop' }));
  };

  readonly #onInput = (): void => {
    const before = this.#tooLong;
    this.waiting = false; // typing cancels a message that waits for its uploads
    this.fileFault = '';
    this.draft = this.input.value;
    if (this.#tooLong && !before) this.#announceTooLong();
    this.#fit();
    this.#mentions?.update(this.input, this.panel.mentionables);
    this.dispatchEvent(new PanelRequest({ kind: 'draft', text: this.draft }));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (this.#mentions?.onKey(event, this.input)) return;
    // 229: the key belongs to an input method
    if (event.key !== 'Enter' || event.keyCode === 229 || event.shiftKey) return;
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
    if (!data?.files.length) return;
    // text from office programs comes with a picture of it: paste the text
    if (data.getData('text/plain') && (data.getData('text/html') || !this.panel.uploadDocument)) return;
    event.preventDefault();
    void this.#attach([...data.files]);
  };

  /** Loads attachments and mentions once; tries again after a failure. */
  #loadExtras(): Promise<void> {
    this.#extras ??= loadModule(this, 'attachments and mentions', () => import('./composer-extras.ts')).then(
      (module) => {
        if (!module) this.#extras = undefined;
        else {
          module.adoptComposerStyles(this.renderRoot);
          this.attachments = new module.AttachmentsController(this);
          this.#mentions = new module.MentionsController(this);
          // `@` may have been typed while the module loaded
          this.#mentions.update(this.input, this.panel.mentionables);
        }
      },
    );
    return this.#extras;
  }

  async #attach(files: readonly File[]): Promise<void> {
    this.fileFault = '';
    this.picked = [...this.picked, ...files];
    await this.#loadExtras();
    const { picked } = this;
    if (!picked[0]) return; // added with those picked before, or discarded
    this.picked = [];
    const { uploadDocument, words } = this.panel;
    if (uploadDocument && this.attachments) return this.attachments.add(picked, uploadDocument);
    this.waiting = false; // the visitor decides whether to send without the file
    this.fileFault =
      (await this.attachments?.refusal(words)) ?? words.t('file.failed', { name: picked[0].name });
    this.dispatchEvent(new AnnounceEvent(this.fileFault));
  }

  #send(): void {
    const text = visibleText(this.draft);
    const { failed = false, ids: documentIds = [] } = this.attachments ?? {};
    const pending = this.#isPending;
    if (this.#tooLong > 0) return this.#announceTooLong();
    if (pending && !this.waiting) this.#announce('composer.uploading');
    if (failed && !pending && !this.blocked) this.#announce('attach.blocked');
    this.waiting = pending;
    this.blocked = failed && !pending;
    if ((!text && !this.#hasFiles) || pending || failed) return;
    const mentions = this.#mentions?.take(text) ?? [];
    this.fileFault = '';
    for (const { id, file } of this.attachments?.takeAll() ?? []) if (id) sentFiles.set(id, file);
    this.input.value = '';
    this.#setDraft('');
    const onRejected = (): void => void this.restoreText(text, [{ documentIds, mentions }]);
    this.dispatchEvent(new PanelRequest({ kind: 'send', text, mentions, documentIds, onRejected }));
  }

  #announce(key: StringKey, values?: { readonly count: number }): void {
    this.dispatchEvent(new AnnounceEvent(this.panel.words.t(key, values)));
  }

  #announceTooLong(): void {
    this.#announce('composer.too-long', { count: this.#tooLong });
  }

  #setDraft(text: string): void {
    this.draft = text;
    this.#fit();
    this.dispatchEvent(new PanelRequest({ kind: 'draft', text }));
  }

  /** Fits the height to the text where the engine does not support `field-sizing`. */
  #fit(): void {
    const { input, style } = this;
    if (CSS.supports('field-sizing', 'content')) {
      input.style.height = 'auto'; // that of the style sheet is one line
      return;
    }
    style.height = `${this.offsetHeight}px`; // while it measures, the conversation above must not move
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
    style.height = '';
  }
}
