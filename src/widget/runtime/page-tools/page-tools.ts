import type { ReactiveController } from 'lit';
import type { ContentItem } from '../../../protocol/index.ts';
import type { PageToolDeclaration, PageToolResult } from '../../../protocol/page-tools.ts';
import { areClocksCompared } from '../../../protocol/service-clock.ts';
import type { ChatHost } from '../../chat-host.ts';
import type { PageTool } from '../../config/page-tool.ts';
import type { PageToolView, PageToolWatchEvent } from '../../content/decision/page-tool-events.ts';
import type { SendOptions } from '../../events/panel-request.ts';
import { diagnose } from '../../events/report-diagnostic.ts';
import { loadModule } from '../../platform/load-module.ts';
import type { SessionController } from '../session-controller.ts';
import { declareTools, isTool, titleOf } from './declare-tools.ts';
import {
  isExpired,
  isOver,
  pageToolCalls,
  refusedResults,
  startCall,
  wasAllowed,
  withdrawResult,
  type PageToolCallView,
} from './page-tool-calls.ts';
import { isStateOnly, runTool, timeoutMs, type ToolOutcome } from './run-tool.ts';
import { readWebTools } from './web-tools.ts';

/** How long a page that was just loaded may take to register a tool, in milliseconds. */
const registrationMs = 5_000;
/** How long a call stays locked after its result, until all tabs know it, in milliseconds. */
const lockMs = 2_000;
/** Delay before changes are looked at together, in milliseconds: an answer changes with each event. */
const updateDelayMs = 30;
/** How long a message waits for the list of WebMCP's tools, in milliseconds. */
const listTimeoutMs = 500;

/**
 * Offers the page's tools to the agent and runs its calls: after consent, in a tab that is in view, once by the call's
 * id.
 */
export class PageTools implements ReactiveController {
  readonly #host: ChatHost;
  readonly #controller: SessionController;
  readonly #since = Date.now();
  readonly #watchers = new Map<PageToolWatchEvent, string>();
  /** Ids of the calls that are run here. */
  readonly #running = new Set<string>();
  /** What came of calls that ran here: sent again where the visitor left the thread before it was sent. */
  readonly #outcomes = new Map<string, ToolOutcome>();
  /** Ids of the calls that the visitor declined here. */
  readonly #declined = new Set<string>();
  #webTools: readonly PageTool[] = [];
  #reported = '';
  #hasAskedTime = false;
  #askTool: Promise<unknown> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ChatHost, controller: SessionController) {
    this.#host = host;
    this.#controller = controller;
    controller.session.subscribe(() => this.changed());
    host.addController(this);
    this.hostUpdated();
    setTimeout(() => this.#update(), registrationMs + 50);
    this.#update();
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.changed();
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }

  hostUpdated(): void {
    if (this.#host.config.askTool === 'on') this.#askTool ??= this.#offerChat();
  }

  /** What goes out with each run; undefined without tools. */
  get parameters(): { readonly page_tools: readonly PageToolDeclaration[] } | undefined {
    const { declared } = declareTools(this.#all);
    return declared.length ? { page_tools: declared } : undefined;
  }

  async #offerChat(): Promise<void> {
    const module = await loadModule(
      this.#host,
      'questions of the browser’s agent',
      () => import('../ask-tool/ask-tool.ts'),
    );
    if (module) module.offerChat(this.#host);
    else this.#askTool = undefined;
  }

  /** Reports tools that the agent does not get, and a policy that does not hold. */
  #check(): void {
    const all = this.#all;
    const isLax = ({ policy, readOnly }: PageTool): boolean => policy === 'never' && readOnly !== true;
    const { leftOut } = declareTools(all);
    const lax = all.filter(isLax).map(({ name }) => String(name).slice(0, 64));
    const problems = [
      leftOut.length > 0 &&
        `Not offered to the agent: ${leftOut.join(', ')}. A tool needs a name of at most 64 letters, digits, "_", "-" or ".", and a function "execute"; at most 64 tools and 32 kB are declared.`,
      lax.length > 0 &&
        `The visitor is asked before ${lax.join(', ')}: the policy "never" needs "readOnly: true".`,
    ];
    const text = problems.filter(Boolean).join(' ');
    if (text && text !== this.#reported) diagnose(this.#host, 'page-tool', text);
    this.#reported = text;
  }

  /** Reads the tools that the page offers by WebMCP, where `page-tools` asks for them. */
  async refresh(): Promise<void> {
    if (this.#host.config.pageTools !== 'webmcp') return void (this.#webTools = []);
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, listTimeoutMs));
    this.#webTools = (await Promise.race([readWebTools(), late])) ?? this.#webTools;
  }

  /** Tells a card where its call stands, until it is removed. */
  watch(event: PageToolWatchEvent): void {
    if (event.signal.aborted) return; // removed while this code loaded
    this.#watchers.set(event, '');
    event.signal.addEventListener('abort', () => this.#watchers.delete(event));
    event.choose = (isAllowed) => void this.#choose(event, isAllowed);
    this.#update();
  }

  /** Called when the conversation, the tools or the page's visibility may have changed. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.#update(), updateDelayMs);
  }

  readonly #onVisibility = (): void => {
    this.changed();
    const calls = this.#calls;
    // a page on another device may have answered meanwhile
    if (!document.hidden && !calls.every(isOver)) void this.#controller.readThread();
  };

  #update(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#check();
    this.#withdrawRefused();
    const calls = this.#calls;
    for (const [event, shown] of this.#watchers) {
      const call = callOf(event, calls);
      if (!call) continue;
      const view = this.#viewOf(call);
      const text = JSON.stringify(view);
      if (text === shown) continue;
      this.#watchers.set(event, text);
      event.onChange(view);
    }
    if (document.hidden) return;
    this.#checkTime(calls);
    for (const call of calls) if (!isOver(call)) this.#consider(call, calls);
  }

  /** A call that is late by this device's clock, which may be wrong: the response has the service's time. */
  #checkTime(calls: readonly PageToolCallView[]): void {
    const isLate = calls.some((call) => !call.result && isExpired(call));
    if (!isLate || this.#hasAskedTime || areClocksCompared()) return;
    this.#hasAskedTime = true;
    void this.#controller.readThread().then(() => this.changed());
  }

  /** The service has another result, or takes none: the thread says which. */
  #withdrawRefused(): void {
    const { session } = this.#controller;
    const refused = session.busy ? [] : refusedResults(session.conversation);
    if (!refused.length) return;
    session.adopt((conversation) => refused.reduce(withdrawResult, conversation));
    void this.#controller.readThread();
  }

  get #calls(): readonly PageToolCallView[] {
    return pageToolCalls(this.#controller.session.conversation);
  }

  /** All tools of the page, also those that cannot be called. */
  get #all(): readonly PageTool[] {
    const { config, registeredTools } = this.#host;
    if (config.pageTools === 'off') return [];
    // what the page registered with the chat stands above what it offers to browsers
    const all = [...this.#webTools, ...registeredTools.values()];
    return [...new Map(all.map((tool) => [tool.name, tool])).values()];
  }

  get #tools(): ReadonlyMap<string, PageTool> {
    return new Map(this.#all.filter(isTool).map((tool) => [tool.name, tool]));
  }

  #consider(call: PageToolCallView, calls: readonly PageToolCallView[]): void {
    if (this.#running.has(call.id)) return;
    const tool = this.#tools.get(call.name);
    const isNew = Date.now() < this.#since + registrationMs;
    const outcome = this.#outcomes.get(call.id);
    if (outcome) void this.#claim(call, () => Promise.resolve(outcome));
    else if (this.#restElsewhere(call) > 0) setTimeout(() => this.changed(), this.#restElsewhere(call));
    else if (call.startedAt !== undefined)
      void this.#claim(call, () => Promise.resolve({ error: 'interrupted' }));
    else if (!tool && !isNew) void this.#claim(call, () => Promise.resolve({ error: 'gone' }));
    else if (tool && this.#runsUnasked(tool, call, calls)) void this.#run(call, tool);
  }

  /**
   * How long a call may still run in another window, in milliseconds: without locks, only the time limit tells. A call
   * that began before this page was loaded was most likely left by this one.
   */
  #restElsewhere({ startedAt = 0 }: PageToolCallView): number {
    if (hasLocks()) return 0;
    return startedAt < this.#since ? 0 : startedAt + timeoutMs + lockMs - Date.now();
  }

  /** A call from before this page was loaded is always asked about: it may have been run then. */
  #runsUnasked(tool: PageTool, call: PageToolCallView, calls: readonly PageToolCallView[]): boolean {
    if (call.askedAt < this.#since) return false;
    if (!hasLocks() && !document.hasFocus()) return false; // another window may run it
    if (tool.policy === 'never') return tool.readOnly === true;
    return tool.policy === 'once' && wasAllowed(calls, tool.name);
  }

  async #choose(event: PageToolWatchEvent, isAllowed: boolean): Promise<void> {
    const call = callOf(event, this.#calls);
    if (!call || isOver(call) || call.startedAt !== undefined || this.#running.has(call.id)) return;
    const tool = this.#tools.get(call.name);
    if (!isAllowed) {
      this.#declined.add(call.id);
      await this.#claim(call, () => Promise.resolve({ error: 'declined' }));
    } else if (tool) await this.#run(call, tool);
  }

  #run(call: PageToolCallView, tool: PageTool): Promise<void> {
    const { session } = this.#controller;
    return this.#claim(call, async () => {
      await this.#untilIdle();
      if (!this.#find(call)) return undefined;
      // before it runs: what follows may leave the page
      session.adopt((conversation) => startCall(conversation, call));
      session.save();
      return runTool(tool, call.args);
    });
  }

  /** Answers a call in this tab, unless another tab does, or it was answered meanwhile. */
  async #claim(call: PageToolCallView, answer: () => Promise<ToolOutcome | undefined>): Promise<void> {
    this.#running.add(call.id);
    this.#update();
    await withLock(`agent-chat page tool ${call.id}`, async () => {
      const known = this.#find(call);
      if (!known || isOver(known) || known.startedAt !== call.startedAt) return;
      const outcome = await answer();
      if (!outcome) return;
      this.#outcomes.set(call.id, outcome);
      if (!this.#find(call)) return;
      const isSettled = new Promise((resolve) => setTimeout(resolve, lockMs));
      await this.#answer(call.id, outcome); // the page may delay it
      await isSettled;
    });
    this.#running.delete(call.id);
    this.#update();
  }

  #find({ id }: PageToolCallView): PageToolCallView | undefined {
    return this.#calls.find((call) => call.id === id);
  }

  async #answer(id: string, outcome: ToolOutcome): Promise<void> {
    const itemOf = (result: ToolOutcome): ContentItem[] => {
      const fields: PageToolResult = { type: 'page_tool_result', id, ...result };
      return [{ response_type: 'user_defined', user_defined: { ...fields } }];
    };
    // the page may keep its words back, but not that the call is over: the agent would wait forever
    const withheld = isStateOnly(outcome)
      ? outcome
      : { error: 'The page kept the result back; the tool has run' };
    const onRejected = (): void =>
      void this.#controller.perform({ kind: 'send', input: { content: itemOf(withheld), silent: true } });
    const options: SendOptions = { silent: true, onRejected };
    await this.#host.send(itemOf(outcome), options).catch(() => undefined); // as state, like any message
  }

  async #untilIdle(): Promise<void> {
    const { session } = this.#controller;
    while (session.busy)
      await new Promise<void>((resolve) => {
        const leave = session.subscribe(() => {
          leave();
          resolve();
        });
      });
  }

  #viewOf(call: PageToolCallView): PageToolView {
    const tool = this.#tools.get(call.name);
    const state = this.#stateOf(call, tool !== undefined);
    return {
      state,
      title: tool ? titleOf(tool) : call.title,
      args: call.args,
      schema: tool?.inputSchema ?? {},
      isReadOnly: tool?.readOnly === true,
      isRemembered: tool?.policy === 'once',
      error: state === 'failed' ? (call.result?.error ?? '') : '',
    };
  }

  #stateOf(call: PageToolCallView, hasTool: boolean): PageToolView['state'] {
    if (call.result) {
      const { error } = call.result;
      if (error === undefined) return 'done';
      if (error === 'timeout' || error === 'interrupted') return 'unknown'; // it may have had an effect
      return error === 'declined' || error === 'gone' ? error : 'failed';
    }
    if (call.isRefused) return 'settled';
    if (this.#declined.has(call.id)) return 'declined';
    if (call.startedAt !== undefined || this.#running.has(call.id)) return 'running';
    if (isExpired(call)) return 'expired';
    return hasTool ? 'asked' : 'waiting';
  }
}

/** Whether a lock decides which window runs a call; absent where the page is no secure context, whatever the types say. */
function hasLocks(): boolean {
  return (navigator as { readonly locks?: LockManager }).locks !== undefined;
}

/** The call that a card shows. */
function callOf(
  { messageId, itemId }: PageToolWatchEvent,
  calls: readonly PageToolCallView[],
): PageToolCallView | undefined {
  return calls.find((call) => call.messageId === messageId && call.itemId === itemId);
}

/** Runs `work` if no other tab does. Without locks, as on a page without https, each tab does it. */
async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  // absent where the page is no secure context, whatever the types say
  const { locks } = navigator as { readonly locks?: LockManager };
  let isAnswered = false;
  const onLock = (lock: Lock | null): Promise<void> | undefined => {
    isAnswered = true;
    return lock ? work() : undefined;
  };
  try {
    await locks?.request(name, { ifAvailable: true }, onLock);
  } catch {
    // not permitted, such as in a sandboxed frame
  }
  if (!isAnswered) await work();
}
