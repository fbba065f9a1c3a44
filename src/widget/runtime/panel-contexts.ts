import { ContextProvider } from '@lit/context';
import { turnsOf } from '../../conversation/turns.ts';
import { shallowArrayEquals } from '../../protocol/json.ts';
import type { ChatHost } from '../chat-host.ts';
import {
  configContext,
  conversationContext,
  sessionContext,
  type ConversationView,
  type PanelConfig,
} from '../contexts.ts';
import { ConnectionChangeEvent, ThreadChangeEvent } from '../events/chat-events.ts';
import { DrawUrgency } from './draw-urgency.ts';
import { FrameScheduler } from './frame-scheduler.ts';
import { panelConfigOf } from './panel-config.ts';
import type { SessionController } from './session-controller.ts';
import type { SubmitGate } from './submit-gate.ts';

/**
 * What the panel renders: its settings, the conversation, and the state of the session. Updates the contexts at most once
 * per frame, and tells the page of a changed connection or thread.
 */
export class PanelContexts {
  readonly #host: ChatHost;
  readonly #controller: SessionController;
  readonly #gate: SubmitGate;
  readonly #config: ContextProvider<typeof configContext>;
  readonly #conversation: ContextProvider<typeof conversationContext>;
  readonly #session: ContextProvider<typeof sessionContext>;
  readonly #frames = new FrameScheduler(() => this.#draw());
  readonly #urgency = new DrawUrgency();
  #configKey: readonly unknown[];
  #threadId: string | undefined;
  #startedRunId: string | undefined;

  constructor(host: ChatHost, controller: SessionController, gate: SubmitGate) {
    this.#host = host;
    this.#controller = controller;
    this.#gate = gate;
    this.#configKey = panelConfigOf.key(host);
    this.#config = new ContextProvider(host, {
      context: configContext,
      initialValue: panelConfigOf.make(host),
    });
    this.#conversation = new ContextProvider(host, {
      context: conversationContext,
      initialValue: this.#nextView(),
    });
    this.#session = new ContextProvider(host, { context: sessionContext, initialValue: controller.view });
    this.#threadId = controller.session.conversation.threadId;
  }

  get config(): PanelConfig {
    return this.#config.value;
  }

  /** Called when the host's settings may have changed. */
  updateConfig(): void {
    const key = panelConfigOf.key(this.#host);
    if (shallowArrayEquals(key, this.#configKey)) return;
    this.#configKey = key;
    this.#config.setValue(panelConfigOf.make(this.#host));
  }

  /** Called when messages begin or end to wait for the page. */
  updatePending(): void {
    this.#conversation.setValue(this.#nextView());
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

  #nextView(): ConversationView {
    const { conversation } = this.#controller.session;
    const before = this.#conversation?.value.turns ?? [];
    const turns = [...turnsOf(conversation, before), ...this.#gate.pending];
    return { conversation, turns, run: conversation.runs.at(-1), startedRunId: this.#startedRunId };
  }

  #draw(): void {
    if (this.#controller.isAway) return;
    const { conversation } = this.#controller.session;
    if (conversation !== this.#conversation.value.conversation) this.updatePending();
    const before = this.#session.value;
    const next = this.#controller.view;
    if (!shallowArrayEquals(Object.values(before), Object.values(next))) this.#session.setValue(next);
    if (before.connection !== next.connection) {
      this.#host.setState(before.connection, false);
      this.#host.setState(next.connection, true);
      this.#host.dispatchEvent(new ConnectionChangeEvent(next.connection));
    }
    this.#controller.drawn();
    if (conversation.threadId !== this.#threadId) {
      this.#threadId = conversation.threadId;
      this.#host.dispatchEvent(new ThreadChangeEvent(this.#threadId));
    }
  }
}
