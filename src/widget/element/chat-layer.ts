import type { ChatHost } from '../chat-host.ts';
import { createElement } from './plain-dom.ts';
import { PanelShell } from './shell.ts';
import { applyLauncherTheme, Launcher, type LauncherActions, type LauncherState } from './launcher.ts';

/** What the layer shows beside what the host's settings say. */
export interface LayerState extends Omit<LauncherState, 'open' | 'hasPanel'> {
  readonly isOpen: boolean;
  /** Whether the strings are in the page's language. */
  readonly isTranslated: boolean;
  /** Renders the panel at the end of the layer; returns false while it cannot. */
  readonly renderPanel: (layer: HTMLElement) => boolean;
}

type ShellOwner = ChatHost & { shell: PanelShell | undefined };

/**
 * The element in the page's top layer that holds the launcher, and the panel or the shell that stands in for it. Plain
 * DOM, so that Lit's templates load with the panel.
 */
export class ChatLayer {
  readonly element: HTMLElement = createElement('div', { part: 'layer' });
  readonly #host: ShellOwner;
  readonly #launcher: Launcher;

  constructor(host: ShellOwner, actions: LauncherActions) {
    this.#host = host;
    this.#launcher = new Launcher(actions);
  }

  update({ renderPanel, isOpen, isTranslated, ...state }: LayerState): void {
    const host = this.#host;
    const { element } = this;
    const { config, formKind, renderRoot, isConnected } = host;
    const inPlace = formKind === 'custom';
    element.className = `layer ${formKind}`;
    element.dir = config.dir || getComputedStyle(host).direction;
    if (!inPlace && 'showPopover' in element) element.popover = 'manual';
    else element.removeAttribute('popover');
    if (!element.parentNode) renderRoot.append(element);
    const hasPanel = !host.shell?.isBusy && renderPanel(element);
    if (isOpen && !hasPanel) host.shell ??= new PanelShell(host, this.#launcher.button);
    const { shell } = host;
    if (inPlace) this.#launcher.button.remove();
    else
      this.#launcher.update(element, {
        ...state,
        open: config.open,
        hasPanel: hasPanel || shell !== undefined,
      });
    applyLauncherTheme(element.style, config);
    if (element.popover && isConnected && !element.matches(':popover-open')) element.showPopover();
    if (shell && !shell.element.isConnected) element.append(shell.element);
    shell?.update({ isOpen, isTranslated, failed: state.failed });
  }
}
