import type { ChatHost } from '../chat-host.ts';
import { applyLauncherTheme, Launcher, type LauncherActions, type LauncherState } from './launcher.ts';

/** What the layer shows beside what the host's settings say. */
export interface LayerState extends Omit<LauncherState, 'open' | 'hasPanel'> {
  /** Renders the panel at the end of the layer; returns false while it cannot. */
  readonly renderPanel: (layer: HTMLElement) => boolean;
}

/** The layer in the page's top layer, with launcher and panel. Plain DOM, so that Lit's templates load with the panel. */
export class ChatLayer {
  readonly element: HTMLElement = document.createElement('div');
  readonly #host: ChatHost;
  readonly #launcher: Launcher;

  constructor(host: ChatHost, actions: LauncherActions) {
    this.#host = host;
    this.#launcher = new Launcher(actions);
    this.element.setAttribute('part', 'layer');
  }

  update({ renderPanel, ...state }: LayerState): void {
    const { element } = this;
    const { config, formKind, renderRoot, isConnected } = this.#host;
    const inPlace = formKind === 'custom';
    element.className = `layer ${formKind}`;
    element.dir = config.dir || getComputedStyle(this.#host).direction;
    if (!inPlace && 'showPopover' in element) element.popover = 'manual';
    else element.removeAttribute('popover');
    if (!element.parentNode) renderRoot.append(element);
    const hasPanel = renderPanel(element);
    if (inPlace) this.#launcher.remove();
    else this.#launcher.update(element, { ...state, open: config.open, hasPanel });
    applyLauncherTheme(element.style, config);
    if (element.popover && isConnected && !element.matches(':popover-open')) element.showPopover();
  }
}
