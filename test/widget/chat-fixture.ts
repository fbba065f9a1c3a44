import { waitUntil } from '@open-wc/testing';
import { itemTurn } from '../tools/rich-answer.ts';
import { plainTurn, type WireEvent } from '../tools/wire-events.ts';
import { AgentChat } from '../../src/widget/element/agent-chat.ts';
import { defineElement } from '../../src/widget/platform/define-element.ts';
import { deepAll, textOf } from './content/item-fixture.ts';

defineElement('agent-chat', AgentChat);

/** Answers a request of the widget; `undefined`: with 404. What it throws, the request fails with. */
export type Answer = (request: {
  readonly url: URL;
  readonly method: string;
  readonly body: string;
}) => Response | undefined | Promise<Response | undefined>;

/** Takes the place of the network until the function that it returns is called. */
export function serve(answer: Answer): () => void {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(request?.url ?? String(input), location.href);
    const method = init?.method ?? request?.method ?? 'GET';
    const signal = init?.signal ?? request?.signal;
    const response = await answer({ url, method, body: String(init?.body ?? '') });
    return response ? abortable(response, signal) : Response.json({}, { status: 404 });
  };
  return () => (window.fetch = fetch);
}

interface StreamOptions {
  /** Pause between two events. Default 0. */
  readonly pauseMs?: number | undefined;
  /** Whether the stream stays open after the last event. Default false. */
  readonly staysOpen?: boolean | undefined;
  /** When `run.completed` may be sent. Default at once. */
  readonly endOfRun?: Promise<void> | undefined;
}

/** A stream of events as the service sends it. */
export function streamOf(
  events: readonly WireEvent[],
  { pauseMs = 0, staysOpen = false, endOfRun }: StreamOptions = {},
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      for (const { id, event, data } of events) {
        if (event === 'run.completed') await endOfRun;
        stream.enqueue(encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      if (!staysOpen) stream.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

let turns = 0;
/** The same turn in a thread of its own each time: an element that was removed keeps its thread for a while. */
export function fresh(events: readonly WireEvent[]): WireEvent[] {
  turns += 1;
  const id = `-8${String(turns).padStart(3, '0')}-`;
  const turn = JSON.parse(JSON.stringify(events).replaceAll('-8000-', id)) as WireEvent[]; // as before
  return turn.map((event, index) => ({ ...event, id: `${Date.now()}-${index}` }));
}

/** A plain turn in a thread of its own. */
export function freshTurn(pieces: readonly string[]): WireEvent[] {
  return fresh(plainTurn(pieces));
}

/** A turn in a thread of its own whose answer has these content items. */
export function freshItems(items: readonly Record<string, unknown>[]): WireEvent[] {
  return fresh(itemTurn(items));
}

/** A run as the widget posts it. */
export interface PostedRun {
  readonly message: PostedMessage;
  readonly [key: string]: unknown;
}

export interface PostedMessage {
  readonly content: readonly (Readonly<Record<string, unknown>> & { readonly text?: string })[];
  readonly [key: string]: unknown;
}

type Reply = Response | readonly WireEvent[];

/** The service of one test: answers each run with `reply`, everything else with `other`, and keeps what was posted. */
export class RunService {
  readonly posted: PostedRun[] = [];
  /** Thread of the latest run: that of its request, or a new one. */
  threadId = '';
  /** Ends the replacement of the network. */
  readonly stop: () => void;
  other: Answer = () => undefined;
  /** The answer to a run; `number`: 1 for the first. */
  reply: (run: PostedRun, number: number) => Reply | Promise<Reply>;

  constructor(reply: RunService['reply'] = () => freshTurn(['Fine.'])) {
    this.reply = reply;
    this.stop = serve(async (request) => {
      const { url, method, body } = request;
      if (method !== 'POST' || !url.pathname.endsWith('/runs/stream')) return this.other(request);
      const run = JSON.parse(body) as PostedRun; // as the widget posts it
      this.posted.push(run);
      this.threadId = String(run['thread_id'] ?? crypto.randomUUID());
      const answer = await this.reply(run, this.posted.length);
      return answer instanceof Response ? answer : streamOf(answer.map((event) => this.#inThread(event)));
    });
  }

  /** The first content item of each posted message. */
  get items(): readonly PostedMessage['content'][number][] {
    return this.posted.map(({ message }) => message.content[0]!);
  }

  #inThread({ data, ...event }: WireEvent): WireEvent {
    return { ...event, data: 'thread_id' in data ? { ...data, thread_id: this.threadId } : data };
  }
}

/** A response whose body ends when the request is aborted, as the network's does. */
function abortable(response: Response, signal: AbortSignal | null | undefined): Response {
  if (!signal || !response.body) return response;
  const { status, headers } = response;
  const passed = new TransformStream<Uint8Array, Uint8Array>();
  // whoever reads it hears of the abort
  response.body.pipeTo(passed.writable, { signal }).catch(() => undefined);
  return new Response(passed.readable, { status, headers });
}

/** Waits for a condition, as long as a busy machine may need. While it throws it does not hold yet. */
export async function until(condition: () => unknown): Promise<void> {
  let reason: unknown;
  const holds = async (): Promise<boolean> => {
    try {
      reason = undefined;
      return Boolean(await condition());
    } catch (error) {
      reason = error;
      return false;
    }
  };
  await waitUntil(holds, undefined, { timeout: 10_000 }).catch((error: unknown) => {
    throw reason ?? error;
  });
}

/** The whole widget in the page of a browser test. Answers come from `serve`. */
export class ChatFixture {
  readonly host = document.createElement('agent-chat') as AgentChat; // defined above

  /**
   * For a visitor who comes for the first time. `json`: the settings inside the element. `place`: what it stands in.
   */
  static begin(
    attributes: Readonly<Record<string, string>> = {},
    json?: unknown,
    place: ParentNode = document.body,
  ): ChatFixture {
    localStorage.clear();
    sessionStorage.clear();
    const chat = new ChatFixture();
    for (const [name, value] of Object.entries({ 'agent-id': 'a', token: 't', lang: 'en', ...attributes }))
      chat.host.setAttribute(name, value);
    if (json !== undefined) {
      const script = Object.assign(document.createElement('script'), { type: 'application/json' });
      script.textContent = JSON.stringify(json);
      chat.host.append(script);
    }
    place.append(chat.host);
    return chat;
  }

  get composer(): HTMLTextAreaElement {
    return this.find<HTMLTextAreaElement>('agent-chat-composer textarea');
  }

  get turns(): HTMLElement[] {
    return deepAll(this.host, 'agent-chat-turn');
  }

  /** Text of the last answer; `''` before there is one. */
  get lastAnswer(): string {
    const answer = deepAll(this.host, '.answer').at(-1);
    return answer ? textOf(answer) : '';
  }

  /** The first element that matches a selector; see `all`. Throws if there is none. */
  find<Found extends Element = HTMLElement>(selector: string): Found {
    const [found] = this.all<Found>(selector);
    if (!found) throw new Error(`nothing matches ${selector}`);
    return found;
  }

  /** All elements that match a selector. A space in it reaches into shadow roots; `>`, `+` and `~` have no spaces. */
  all<Found extends Element = HTMLElement>(selector: string): Found[] {
    const paths = selector.split(', ').map((path) => path.split(' '));
    const found = paths.flatMap(([first = '', ...others]) =>
      others.reduce<Element[]>(
        (outer, step) => outer.flatMap((element) => deepAll(element, step)),
        deepAll(this.host, first),
      ),
    );
    return [...new Set(found)] as Element[] as Found[]; // the caller knows their kind
  }

  /** Texts of all elements that match a selector. */
  texts(selector: string): string[] {
    return this.all(selector).map(textOf);
  }

  /** Buttons with this name. */
  buttons(name: string | RegExp): HTMLButtonElement[] {
    return this.all<HTMLButtonElement>('button').filter((button) => {
      const own = button.ariaLabel ?? textOf(button);
      return typeof name === 'string' ? own === name : name.test(own);
    });
  }

  /** The first button with this name. Throws if there is none. */
  button(name: string | RegExp): HTMLButtonElement {
    const [found] = this.buttons(name);
    if (!found) throw new Error(`no button ${String(name)}`);
    return found;
  }

  /** The first field whose label contains this text. Throws if there is none. */
  field<Found extends HTMLElement = HTMLInputElement>(label: string): Found {
    const found = this.all<HTMLInputElement>('input, select, textarea').find((field) =>
      [field.ariaLabel ?? '', ...[...(field.labels ?? [])].map(textOf)].some((text) => text.includes(label)),
    );
    if (!found) throw new Error(`no field ${label}`);
    return found as HTMLElement as Found; // the caller knows its kind
  }

  /** Waits until the panel is in the shell's place and has come in: it is a hair smaller before. */
  async still(): Promise<void> {
    await until(() => !this.host.shell && this.all('.panel').length > 0);
    await Promise.all(
      this.all('.panel').flatMap((panel) => panel.getAnimations().map(({ finished }) => finished)),
    );
  }

  /** Waits until at least so many content items are drawn, with what they load. */
  async items(count: number): Promise<void> {
    await until(() => {
      const all = this.all('agent-chat-item');
      return (
        all.length >= count &&
        all.every((item) => item.shadowRoot?.childElementCount && !item.hasAttribute('loading'))
      );
    });
  }

  /** Waits until something is drawn. */
  async shows(selector: string, count = 1): Promise<void> {
    await until(() => this.all(selector).length === count);
  }

  async open(): Promise<void> {
    await this.host.show();
    await until(() => deepAll(this.host, 'textarea').length > 0);
  }

  /** Writes a message and sends it with Enter. */
  say(text: string): void {
    this.write(text);
    this.composer.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }),
    );
  }

  write(text: string): void {
    this.composer.value = text;
    this.composer.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  /** Waits until a message was answered. */
  async answered(turns: number): Promise<void> {
    await until(() => deepAll(this.host, 'agent-chat-turn-actions').length === turns);
  }

  remove(): void {
    this.host.remove();
  }
}

/** Puts a value into a field as a visitor would. */
export function fill(field: HTMLElement, value: string): void {
  Reflect.set(field, 'value', value);
  const kind = field.localName === 'select' ? 'change' : 'input';
  field.dispatchEvent(new InputEvent(kind, { bubbles: true, composed: true }));
}

/** Edges of an element's text. */
export function textBox(element: Element): DOMRect {
  const words = new Range();
  words.selectNodeContents(element);
  return words.getBoundingClientRect();
}

/** How much of an element is in view, from 0 to 1, as scrollers and the window cut it. */
export function visibleRatio(element: Element): Promise<number> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      resolve(entry?.intersectionRatio ?? 0);
    });
    observer.observe(element);
  });
}

/** The element with focus, through all shadow roots. */
export function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}
