import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ConversationMessage } from '../../../conversation/conversation.ts';
import { visitorText } from '../../../conversation/visitor-text.ts';
import { toStreamSafe } from '../../../markdown/stream-safe-text.ts';
import { defineElement } from '../../platform/define-element.ts';
import { loadModule } from '../../platform/load-module.ts';
import { sentFiles } from '../sent-files.ts';
import { AnnounceEvent } from '../../events/panel-events.ts';
import { PanelRequest } from '../../events/panel-request.ts';
import { editIcon, icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { defaultStrings, type Strings } from '../../i18n/strings.ts';
import { timeOfDay } from '../../i18n/time-of-day.ts';
import type { MessageSaveEvent } from './message-editor.ts';
import { visitorMessageStyles } from './visitor-message.styles.ts';

/** How long a finger rests on a message until its menu opens, in ms. */
const longPressMs = 500;

/**
 * The visitor's message: a tinted block at the inline end, plain text as typed.
 *
 * @element agent-chat-visitor-message
 * @fires agent-chat-request - Edit, or remove a queued message
 * @slot - Content without text: the result of a form
 * @csspart visitor-message
 */
export class VisitorMessageElement extends LitElement {
  static override styles = [sharedStyles, visitorMessageStyles];

  @property({ attribute: false }) message: ConversationMessage | undefined;
  /** True when this is the last message and no run is active, so that it can be edited. */
  @property({ type: Boolean }) editable = false;
  /** True while the message waits for the network; its run has begun, so it cannot be removed. */
  @property({ type: Boolean }) unsent = false;
  /** True once somebody looks for the time of the message. */
  @property({ type: Boolean }) dated = false;
  @property({ attribute: false }) words: Strings = defaultStrings;
  @state() private editing = false;
  /** An edited text that the page rejected. */
  #rejectedText: string | undefined;
  /** True once speech has been shown while it was recognized. */
  #isHeard = false;

  protected override willUpdate(): void {
    this.#isHeard ||= this.message?.transcription?.final === false;
  }

  override render(): unknown {
    const { message, words } = this;
    if (!message) return nothing;
    if (this.editing) return this.renderEditor(message);
    const text = visitorText(message);
    const state = this.renderState(message);
    return html`<div class="line">
        <div
          class="block ${this.#isHeard ? 'heard' : ''}"
          part="visitor-message"
          dir="auto"
          @pointerdown=${this.#onPress}
          data-time=${this.dated && state === nothing ? timeOfDay(message.createdAt, words) : ''}
        >
          ${
            message.transcription
              ? html`<p class=${message.transcription.final ? '' : 'caption'}>
                  ${message.transcription.text}
                </p>`
              : text
                ? html`<p>${toStreamSafe(text)}</p>`
                : html`<slot></slot>`
          }
          ${message.documentIds.length > 0 ? this.renderDocuments(message) : nothing}
        </div>
        ${this.editable && text ? this.renderEdit() : nothing}
      </div>
      ${state}`;
  }

  /** Tiles of the files if all were attached in this page, which defines the element then; else their count. */
  private renderDocuments({ documentIds }: ConversationMessage): unknown {
    const label = this.words.t('message.documents', { count: documentIds.length });
    const files = documentIds.flatMap((id) => sentFiles.get(id) ?? []);
    return files.length < documentIds.length
      ? html`<span class="documents">${label}</span>`
      : html`<agent-chat-sent-files-list
          .files=${files}
          .label=${label}
          .locale=${this.words.locale}
        ></agent-chat-sent-files-list>`;
  }

  private renderEdit(): unknown {
    return html`<button
      class="icon-button small edit"
      type="button"
      aria-label=${this.words.t('actions.edit')}
      title=${this.words.t('actions.edit')}
      @click=${this.#edit}
    >
      ${icon(editIcon)}
    </button>`;
  }

  private renderState(message: ConversationMessage): unknown {
    const { words } = this;
    const { status } = message;
    if (status === 'rejected') return html`<span class="state">${words.t('message.not-sent')}</span>`;
    const isQueued = status === 'queued';
    if (!isQueued && !this.unsent) return nothing;
    return html`<span class="state"
      >${words.t('message.queued')}
      ${
        isQueued
          ? html`<button class="button quiet" type="button" @click=${() => this.#remove(message)}>
              ${words.t('message.remove-queued')}
            </button>`
          : nothing
      }</span
    >`;
  }

  private renderEditor(message: ConversationMessage): unknown {
    return html`<agent-chat-message-editor
      .text=${this.#rejectedText ?? visitorText(message)}
      .words=${this.words}
      @save=${this.#save}
      @cancel=${this.#cancel}
    ></agent-chat-message-editor>`;
  }

  #remove(message: ConversationMessage): void {
    const text = this.words.t('attach.removed', { name: visitorText(message) });
    this.dispatchEvent(new AnnounceEvent(text));
    this.dispatchEvent(new PanelRequest({ kind: 'remove-queued', messageId: message.id }));
  }

  /** The message stays visible until the editor's code is loaded. */
  readonly #edit = async (): Promise<void> => {
    const module = await loadModule(this, 'edited messages', () => import('./message-editor.ts'));
    if (!module) return;
    defineElement('agent-chat-message-editor', module.MessageEditorElement);
    this.editing = true;
  };

  /** A finger that rests on the message opens its menu; one that moves, scrolls. */
  readonly #onPress = ({ pointerType, currentTarget }: PointerEvent): void => {
    if (pointerType !== 'touch' || !this.editable || this.editing) return;
    const block = currentTarget as HTMLElement; // what listens
    const ended = new AbortController();
    const timer = setTimeout(() => {
      ended.abort();
      void this.#openMenu(block);
    }, longPressMs);
    const stop = (): void => {
      clearTimeout(timer);
      ended.abort();
    };
    // the browser cancels the pointer when it scrolls; captured, because a page may keep events from the window
    for (const name of ['pointerup', 'pointercancel', 'pagehide'])
      window.addEventListener(name, stop, { capture: true, signal: ended.signal });
  };

  async #openMenu(block: HTMLElement): Promise<void> {
    const { message, words } = this;
    const module = await loadModule(this, 'message menus', () => import('./message-menu.ts'));
    if (message) module?.openMessageMenu(block, { text: visitorText(message), words, onEdit: this.#edit });
  }

  readonly #cancel = async (): Promise<void> => {
    this.editing = false;
    this.#rejectedText = undefined;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.edit')?.focus();
  };

  readonly #save = ({ text }: MessageSaveEvent): void => {
    const { message, editable } = this;
    if (!message) return;
    this.editing = false;
    const onRejected = (): void => {
      this.#rejectedText = text;
      this.editing = true;
    };
    // if newer messages arrived meanwhile, the edit is sent as a new message
    this.dispatchEvent(
      new PanelRequest(
        editable
          ? { kind: 'edit', messageId: message.id, text, onRejected }
          : { kind: 'send', text, onRejected },
      ),
    );
  };
}
