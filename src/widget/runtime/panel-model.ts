import { turnsOf } from '../../conversation/turns.ts';
import { shallowArrayEquals } from '../../protocol/json.ts';
import type { SessionState } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import { ConnectionChangeEvent, ThreadChangeEvent } from '../events/chat-events.ts';
import type { ConversationView, PanelConfig } from '../contexts.ts';
import { DrawUrgency } from './draw-urgency.ts';
import { FrameScheduler } from './frame-scheduler.ts';
import { panelConfigOf } from './panel-config.ts';
import type { SessionController } from './session-controller.ts';
import type { SubmitGate } from './submit-gate.ts';

/**
 * What the panel renders: its settings, the conversation, and the state of the session. Changes at most once per frame
 * while an answer arrives, and tells the page of a changed connection or thread.
 */
export class PanelModel {
  config: PanelConfig;
  view: ConversationView;
  session: SessionState;
  readonly #host: ChatHost;
  readonly #controller: SessionController;
  readonly #gate: SubmitGate;
  readonly #draw: () => void;
  readonly #frames = new FrameScheduler(() => this.#update());
  readonly #urgency = new DrawUrgency();
  #configKey: readonly unknown[];
  #threadId: string | undefined;
  #startedRunId: string | undefined;
  /** What the page was told last; before the panel has loaded, the connection is idle. */
  #connection: SessionState['connection'] = 'idle';

  /** @param draw draws the panel; called after each change */
  constructor(host: ChatHost, controller: SessionController, gate: SubmitGate, draw: () => void) {
    this.#host = host;
    this.#controller = controller;
    this.#gate = gate;
    this.#draw = draw;
    this.#configKey = panelConfigOf.key(host);
    this.config = panelConfigOf.make(host);
    this.view = this.#nextView([]);
    this.session = controller.view;
    this.#threadId = controller.session.conversation.threadId;
  }

  /** Called when the host's settings may have changed. */
  updateConfig(): void {
    const key = panelConfigOf.key(this.#host);
    if (shallowArrayEquals(key, this.#configKey)) return;
    this.#configKey = key;
    this.config = panelConfigOf.make(this.#host);
    this.#draw();
  }

  /** Called when messages begin or end to wait for the page. */
  updatePending(): void {
    this.view = this.#nextView(this.view.turns);
    this.#draw();
  }

  /** Asks for a draw after a change of the session. */
  sessionChanged(): void {
    const { busy, conversation } = this.#controller.session;
    const run = conversation.runs.at(-1);
    // the answer may have started by the time it is rendered
    if (run?.status === 'submitted') this.#startedRunId = run.id;
    // another thread; returning to this one starts no run
    else if (run?.id !== this.#startedRunId) this.#startedRunId = undefined;
    this.#frames.request(this.#urgency.next(conversation, busy));
  }

  /** Draws now what waits for a frame. */
  flush(): void {
    this.#frames.flush();
  }

  #nextView(before: ConversationView['turns']): ConversationView {
    const { conversation } = this.#controller.session;
    const turns = [...turnsOf(conversation, before), ...this.#gate.pending];
    return { conversation, turns, run: conversation.runs.at(-1), startedRunId: this.#startedRunId };
  }

  #update(): void {
    if (this.#controller.isAway) return;
    const { conversation } = this.#controller.session;
    const next = this.#controller.view;
    if (conversation !== this.view.conversation) this.view = this.#nextView(this.view.turns);
    if (!shallowArrayEquals(Object.values(this.session), Object.values(next))) this.session = next;
    this.#draw();
    const { connection } = next;
    if (connection !== this.#connection) {
      this.#host.setState(this.#connection, false);
      this.#host.setState(connection, true);
      this.#connection = connection;
      this.#host.dispatchEvent(new ConnectionChangeEvent(connection));
    }
    this.#controller.drawn();
    if (conversation.threadId !== this.#threadId) {
      this.#threadId = conversation.threadId;
      this.#host.dispatchEvent(new ThreadChangeEvent(this.#threadId));
    }
  }
}
