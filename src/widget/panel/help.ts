import { html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import type { AnnounceMode } from '../announcements/conversation-announcer.ts';
import { checkboxStyles } from '../theme/checkbox.styles.ts';
import { closeIcon, icon } from '../theme/icons.ts';
import { sharedStyles } from '../theme/shared.styles.ts';
import { ExtraStringsElement } from './extra-strings-element.ts';
import type { StringKey } from '../i18n/strings.ts';
import { defineElement } from '../platform/define-element.ts';
import { trapFocus } from '../platform/trap-focus.ts';
import { helpStyles } from './help.styles.ts';

/** The visitor chose which messages are read aloud. */
export class AnnouncePreferenceEvent extends Event {
  static readonly type = 'agent-chat-announce-choice';
  constructor(readonly mode: AnnounceMode) {
    super(AnnouncePreferenceEvent.type);
  }
}

/** Registers the element. */
export function define(): void {
  defineElement('agent-chat-help', HelpElement);
}

const modes: readonly AnnounceMode[] = ['answer', 'sentence', 'quiet'];

type KeySymbol = '?' | 'F6' | '↑' | '↓';

/** Shortcuts for moving around: the key combinations, and the string that describes them. */
const shortcuts: readonly (readonly [readonly (KeySymbol | StringKey)[], StringKey, '+' | '/'])[] = [
  [['key.enter'], 'help.send', '+'],
  [['key.shift', 'key.enter'], 'help.break', '+'],
  [['F6'], 'help.regions', '+'],
  [['key.shift', 'F6'], 'help.regions-back', '+'],
  [['↑', '↓'], 'help.messages', '/'],
  [['key.home', 'key.end'], 'help.ends', '/'],
  [['key.tab'], 'help.into', '+'],
  [['key.escape'], 'help.close', '+'],
  [['?'], 'help.list', '+'],
];

/**
 * A dialog over the panel with the keyboard shortcuts and the setting for what is read aloud. Takes focus when it
 * opens and keeps it inside; the opener restores focus.
 *
 * @element agent-chat-help
 * @fires agent-chat-announce-choice - The visitor chose what is read aloud
 * @fires close - The visitor pressed Escape or the Close button
 */
export class HelpElement extends ExtraStringsElement {
  static override styles = [sharedStyles, checkboxStyles, helpStyles];

  @property() mode: AnnounceMode = 'answer';

  protected override firstUpdated(): void {
    // the dialog covers the top of the panel, which may be scrolled when it is low
    if (this.parentElement) this.parentElement.scrollTop = 0;
    this.renderRoot.querySelector('button')?.focus();
  }

  override render(): unknown {
    const { words } = this;
    const close = words.t('panel.close');
    return html`<div role="dialog" aria-modal="true" aria-labelledby="title" @keydown=${this.#onKey}>
      <header role="none">
        <h2 id="title">${words.t('help.title')}</h2>
        <button class="icon-button" type="button" aria-label=${close} title=${close} @click=${this.#close}>
          ${icon(closeIcon)}
        </button>
      </header>
      <fieldset>
        <legend>${words.t('help.aloud')}</legend>
        ${modes.map(
          (mode) =>
            html`<label
              ><input
                type="radio"
                name="mode"
                value=${mode}
                .checked=${mode === this.mode}
                @change=${() => this.dispatchEvent(new AnnouncePreferenceEvent(mode))}
              />${words.t(`help.aloud-${mode}`)}</label
            >`,
        )}
      </fieldset>
      <h3>${words.t('help.shortcuts')}</h3>
      <dl>
        ${shortcuts.map(([keys, meaning, joint]) =>
          meaning === 'help.close' && this.closest('.custom')
            ? nothing // a chat in place stays
            : html`<div>
                <dt>${words.t(meaning)}</dt>
                <dd>
                  ${keys.map((key, index) => html`${index > 0 ? ` ${joint} ` : ''}<kbd>${this.#nameOf(key)}</kbd>`)}
                </dd>
              </div>`,
        )}
      </dl>
    </div>`;
  }

  #nameOf(key: KeySymbol | StringKey): string {
    return key === '?' || key === 'F6' || key === '↑' || key === '↓' ? key : this.words.t(key);
  }

  #close(): void {
    this.dispatchEvent(new Event('close'));
  }

  /** Escape closes the dialog and not the panel; Tab stays inside. */
  #onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      this.#close();
    }
    if (event.key !== 'Tab') return;
    const stops = [...this.renderRoot.querySelectorAll<HTMLElement>('button, input:checked')];
    if (trapFocus(stops, event.shiftKey)) event.preventDefault();
  }
}
