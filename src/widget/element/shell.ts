import type { ChatHost, Shell } from '../chat-host.ts';
import { maxMessageLength } from '../config/max-message-length.ts';
import { disclosureMark } from '../i18n/disclosure-mark.ts';
import { mayTakeFocus } from '../platform/focus.ts';
import { matchMediaSafe } from '../platform/media-queries.ts';
import { stopTypedKeys } from '../platform/typed-keys.ts';
import { createElement, createIcon } from './plain-dom.ts';

/** What the shell shows beside what the host's settings say. */
export interface ShellState {
  readonly isOpen: boolean;
  /** True when the panel could not be loaded. */
  readonly failed: boolean;
  /** False while the strings are in English although the page is not. */
  readonly isTranslated: boolean;
}

/** Events after which no button is held any more. */
const pressEnds = ['pointerup', 'pointercancel', 'blur'] as const;

/**
 * Stands in for the panel until its code has loaded: a header, and a text field that works. The panel takes over what
 * the visitor has written, sent and attached. Plain DOM, so that Lit's templates load with the panel.
 */
export class PanelShell implements Shell {
  readonly element: HTMLElement = createElement('div', { className: 'shell' });
  readonly field: HTMLTextAreaElement;
  readonly sent: string[] = [];
  readonly files: File[] = [];
  isWaiting = false;
  isBusy = false;
  storage: Shell['storage'];
  readonly #host: ChatHost;
  readonly #launcher: HTMLElement;
  readonly #name: HTMLElement;
  readonly #mark: HTMLElement;
  readonly #status: HTMLElement;
  readonly #close: HTMLButtonElement;
  readonly #list: HTMLElement;
  readonly #problem: HTMLButtonElement;
  readonly #send: HTMLButtonElement;

  /** @param launcher Its click loads a panel again that could not be loaded; in place, it is not in the document. */
  constructor(host: ChatHost, launcher: HTMLElement) {
    this.#host = host;
    this.#launcher = launcher;
    const { element } = this;
    element.tabIndex = -1;
    element.hidden = true;
    const header = add(element, 'header', { part: 'header' });
    const heading = add(header, 'div');
    this.#name = add(heading, 'b', { part: 'header-name' });
    this.#mark = add(heading, 'small', { part: 'disclosure-mark' });
    this.#status = add(heading, 'span', { part: 'header-status' });
    this.#close = addButton(header, 'close', 'M6 6l12 12M18 6L6 18');
    this.#list = add(element, 'div', { className: 'list' });
    this.#list.setAttribute('role', 'log'); // reads out what is sent
    const footer = add(element, 'footer');
    const alert = add(footer, 'p');
    alert.setAttribute('role', 'alert');
    this.#problem = add(alert, 'button');
    const box = add(footer, 'div', { className: 'box', part: 'composer' });
    this.field = add(box, 'textarea', { part: 'input' });
    this.field.rows = 1;
    this.field.enterKeyHint = 'send';
    this.field.autocomplete = 'off';
    this.#send = addButton(box, 'send', 'M12 19V5M6 11l6-6 6 6');
    this.field.addEventListener('input', () => {
      this.isWaiting = false;
      this.field.dir = this.field.value ? 'auto' : '';
      this.#store();
    });
    this.#close.addEventListener('click', () => void host.hide());
    this.#problem.addEventListener('click', () => {
      launcher.click();
      this.#focus();
    });
    this.#send.addEventListener('click', () => this.#submit());
    element.addEventListener('keydown', this.#onKey);
    for (const type of ['keydown', 'keypress', 'keyup'] as const)
      element.addEventListener(type, stopTypedKeys);
    for (const type of ['paste', 'dragover', 'drop'] as const) element.addEventListener(type, this.#onFiles);
    element.addEventListener('pointerdown', this.#onPress);
    element.addEventListener('compositionstart', () => (this.isBusy = true));
    element.addEventListener('compositionend', this.#release);
  }

  update({ isOpen, failed, isTranslated }: ShellState): void {
    const { element, field } = this;
    const { config, formKind, restores, words } = this.#host;
    const inPlace = formKind === 'custom';
    const name = config.heading || words.t('panel.name');
    const mark = disclosureMark(config.disclosure, words);
    const opens = isOpen && element.hidden;
    if (!isOpen && element.matches(':focus-within')) this.#launcher.focus();
    element.hidden = !isOpen;
    element.setAttribute('role', inPlace ? 'region' : 'dialog');
    element.setAttribute('aria-label', mark ? `${name}, ${mark}` : name);
    element.style.setProperty('--_dir', config.dir || (isTranslated ? words.direction : ''));
    element.style.setProperty('--_panel-width', config.width);
    element.style.setProperty('--_panel-height', config.height);
    this.#name.textContent = isTranslated ? name : config.heading;
    this.#mark.textContent = mark;
    this.#status.textContent = isTranslated && !failed ? words.t('launcher.loading') : '';
    this.#close.hidden = inPlace;
    this.#close.setAttribute('aria-label', words.t('panel.close'));
    this.#send.setAttribute('aria-label', words.t('composer.send'));
    field.setAttribute('aria-label', words.t('composer.label'));
    field.placeholder = config.placeholder || (isTranslated ? words.t('composer.placeholder') : '');
    this.#problem.hidden = !failed;
    this.#problem.textContent = failed ? words.t('launcher.failed') : '';
    if (restores) this.#store(); // which also reads what was written on the previous page
    // not where links replace the page's part with the chat: the visitor is on the page
    if (opens && !restores && mayTakeFocus(formKind)) this.#focus();
  }

  /** Focuses the field; on touch screens the shell, because the field would open the on-screen keyboard. */
  #focus(): void {
    const target = matchMediaSafe('(pointer: coarse)').matches ? this.element : this.field;
    target.focus({ preventScroll: true });
  }

  #submit(): void {
    const text = this.field.value.trim();
    if (text.length > maxMessageLength) return; // the composer says why
    this.isWaiting = this.files.length > 0;
    if (this.isWaiting || !text) return;
    this.sent.push(text);
    this.show(text);
    this.field.value = '';
    this.#store();
  }

  /** Stores what is written, for a page that is left before the panel is there. */
  #store(): void {
    import('./shell-storage.ts').then((module) => module.storeShell(this.#host, this)).catch(() => undefined); // tried again at the next change
  }

  show(text: string): void {
    const bubble = createElement('p');
    bubble.dir = 'auto';
    bubble.textContent = text;
    this.#list.append(bubble); // as a whole: it is read out once
    this.#list.scrollTop = this.#list.scrollHeight;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    // key code 229: an input method is composing, in engines that do not set `isComposing`
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && !this.#close.hidden) void this.#host.hide();
    else if (event.key === 'Enter' && !event.shiftKey && event.target === this.field) this.#submit();
    else return;
    event.preventDefault();
  };

  readonly #onFiles = (event: ClipboardEvent | DragEvent): void => {
    const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
    if (!data?.types.includes('Files') || !this.#host.option('uploadDocument')) return;
    // text from office programs comes with a picture of it
    if (data.types.includes('text/html') && data.types.includes('text/plain')) return;
    event.preventDefault();
    for (const file of data.files) {
      this.files.push(file);
      this.show(file.name);
    }
  };

  readonly #onPress = ({ button }: PointerEvent): void => {
    this.isBusy ||= !button;
    // captured, except `blur`, which elements fire too: a page may keep the others from the window
    for (const type of pressEnds)
      addEventListener(type, this.#release, { capture: type !== 'blur', once: true });
  };

  /** Lets the panel take over, after the click or the input method's last change. */
  readonly #release = (): void => {
    setTimeout(() => {
      this.isBusy = false;
      this.#host.requestUpdate();
    });
  };
}

function add<Name extends keyof HTMLElementTagNameMap>(
  parent: Node,
  tag: Name,
  options?: Parameters<typeof createElement>[1],
): HTMLElementTagNameMap[Name] {
  return parent.appendChild(createElement(tag, options));
}

function addButton(parent: Node, part: string, shape: string): HTMLButtonElement {
  const button = add(parent, 'button', { part });
  const { icon, path } = createIcon();
  path.setAttribute('d', shape);
  button.type = 'button';
  button.append(icon);
  return button;
}
