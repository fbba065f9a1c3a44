import type { ReactiveController } from 'lit';
import type { ChatHost } from '../chat-host.ts';
import type * as Places from './panel-places.ts';

/** Floating chats on the page, in the order of their launchers. */
const chats: ChatHost[] = [];
/** Module that places open panels; loaded with the second floating chat. */
let panelPlaces: Promise<typeof Places> | undefined;

/** Gives each floating chat its own place: launchers form a row, open panels stand side by side. */
export class CornerController implements ReactiveController {
  readonly #host: ChatHost;

  constructor(host: ChatHost) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated(): void {
    const { isConnected, renderRoot } = this.#host;
    const layer = renderRoot.querySelector<HTMLElement>('.layer:not(.custom)');
    const index = chats.indexOf(this.#host);
    if (isConnected && layer) {
      if (index < 0) chats.push(this.#host);
      layer.style.setProperty('--_place', `${chats.indexOf(this.#host)}`);
    } else if (index >= 0) {
      chats.splice(index, 1);
      for (const other of chats) other.requestUpdate(); // they move up
    }
    if (chats[1]) panelPlaces ??= import('./panel-places.ts');
    panelPlaces?.then(
      (module) => module.arrangePanels(chats),
      () => (panelPlaces = undefined), // the next update loads it again
    );
  }

  hostDisconnected(): void {
    // wait: an element that is only moved keeps its place
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.hostUpdated();
    });
  }
}
