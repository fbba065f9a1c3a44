import type { Config } from '../config/config-table.ts';
import type { Strings } from '../i18n/create-strings.ts';
import { createElement, createIcon } from './plain-dom.ts';

/** What the launcher shows. */
export interface LauncherState {
  readonly open: boolean;
  /** True when the panel could not be loaded. */
  readonly failed: boolean;
  /** True when the panel, or the shell in its place, is beside the launcher. */
  readonly hasPanel: boolean;
  readonly unread: number;
  readonly words: Strings;
}

/** Callbacks of the launcher. */
export interface LauncherActions {
  readonly onClick: (event: MouseEvent) => void;
  /** Called when the visitor shows intent: a pointer comes (a finger touches), or focus. */
  readonly onIntent: () => void;
}

const chatShape = 'M4 5h16v11H9l-5 4z';
const closeShape = 'M6 9l6 6 6-6';

/** The round button in the corner, with its badge. */
export class Launcher {
  readonly button = createElement('button', { part: 'launcher' });
  readonly #badge = createElement('span', { className: 'badge', part: 'badge' });
  readonly #shape: SVGPathElement;

  constructor({ onClick, onIntent }: LauncherActions) {
    const { button } = this;
    const { icon, path } = createIcon();
    this.#shape = path;
    const slot = createElement('slot');
    slot.name = 'launcher-icon';
    slot.append(icon);
    this.#badge.setAttribute('aria-hidden', 'true');
    button.type = 'button';
    button.append(slot);
    button.addEventListener('click', onClick);
    // the second press of two leaves the focus where the first click has put it: in the chat
    button.addEventListener('mousedown', (event) => event.detail > 1 && event.preventDefault());
    button.addEventListener('pointerenter', onIntent);
    button.addEventListener('focus', onIntent);
  }

  /** Shows the launcher at the start of the layer. */
  update(layer: HTMLElement, state: LauncherState): void {
    const { button } = this;
    const { open, failed, hasPanel, unread, words } = state;
    button.className = `launcher ${failed ? 'failed' : ''} ${open && hasPanel ? 'covered' : ''}`;
    button.setAttribute('aria-expanded', `${open}`);
    button.setAttribute('aria-label', labelOf(state));
    button.title = failed ? words.t('launcher.failed') : '';
    this.#shape.setAttribute('d', open && hasPanel ? closeShape : chatShape);
    this.#badge.textContent = unread > 99 ? '99+' : `${unread}`;
    if (unread > 0 && !open) button.append(this.#badge);
    else this.#badge.remove();
    if (!button.parentNode) layer.prepend(button);
  }
}

function labelOf({ open, failed, unread, words }: LauncherState): string {
  if (failed) return words.t('launcher.failed');
  if (open) return words.t('launcher.close');
  return unread > 0 ? words.t('launcher.unread', { count: unread }) : words.t('launcher.open');
}

/** Whether the style sheet can derive the launcher's colours; engines from before mid-2024 cannot. */
const hasRelativeColours =
  (globalThis.CSS as typeof CSS | undefined)?.supports(
    'color',
    'light-dark(color(from red xyz-d65 calc(x / y) y z), red)',
  ) ?? true; // jsdom has no `CSS`

/** Sets the host's colours and theme in the style of the layer around the launcher. */
export function applyLauncherTheme(
  style: CSSStyleDeclaration,
  { accentColor, primaryColor, theme }: Config,
): void {
  style.setProperty('--_primary', primaryColor);
  style.setProperty('--_host-accent', accentColor);
  style.colorScheme = theme === 'auto' ? '' : theme;
  if (hasRelativeColours) return;
  import('../theme/launcher-colours.ts').then(
    (module) => module.applyLauncherColours(style, accentColor, theme),
    () => undefined, // the style sheet's colours stay
  );
}
