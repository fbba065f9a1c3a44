import type { ReactiveController } from 'lit';
import type { ChatHost } from '../chat-host.ts';

/** Chats whose launcher stands in the corner, in its order. */
const launchers: ChatHost[] = [];
/** Chats whose floating panel stands open, each where it opened. */
const panels: (ChatHost | undefined)[] = [];
/** The chat that lies over the others. */
let front: ChatHost | undefined;

/** Gives each floating chat of the page a place of its own: launchers stand in a row, open panels side by side. */
export class CornerController implements ReactiveController {
  readonly #host: ChatHost;

  constructor(host: ChatHost) {
    this.#host = host;
    host.addController(this);
    host.addEventListener('pointerdown', this.#toFront);
    host.addEventListener('focusin', this.#toFront);
  }

  hostUpdated(): void {
    const { isConnected, formKind, config, renderRoot } = this.#host;
    const layer = renderRoot.querySelector<HTMLElement>('.layer:not(.custom)');
    const isThere = isConnected && layer !== null;
    const wasOpen = panels.includes(this.#host);
    const panel = takePlace(panels, this.#host, isThere && config.open && formKind === 'float');
    const wasThere = launchers.includes(this.#host);
    const launcher = takePlace(launchers, this.#host, isThere);
    layer?.style.setProperty('--_place', `${launcher}`);
    layer?.style.setProperty('--_panel-place', `${panel}`);
    if (!wasOpen) this.#toFront();
    if (isThere || !wasThere) return;
    // the others close up
    launchers.splice(launcher, 1);
    for (const other of launchers) other.requestUpdate();
  }

  hostDisconnected(): void {
    // on its way to another place it keeps the one it has
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.hostUpdated();
    });
  }

  /** Where there is no room for two open panels, the one that is used lies over the other. */
  readonly #toFront = (): void => {
    const host = this.#host;
    if (front === host || !panels.includes(host)) return;
    const isAlone = panels.every((other) => !other || other === host);
    front = host;
    if (isAlone) return;
    import('./top-layer.ts').then(
      (part) => part.raiseLayer(host),
      () => undefined, // it stays where it is
    );
  };
}

/** The first place that is free, or the one it has; one that is no longer wanted becomes free. */
function takePlace(places: (ChatHost | undefined)[], host: ChatHost, isWanted: boolean): number {
  const had = places.indexOf(host);
  const place = had < 0 ? [...places, undefined].indexOf(undefined) : had;
  if (isWanted || had >= 0) places[place] = isWanted ? host : undefined;
  return place;
}
