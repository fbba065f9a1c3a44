import { waitUntil } from '@open-wc/testing';
import { plainTurn, type WireEvent } from '../tools/wire-events.ts';
import { AgentChat } from '../../src/widget/element/agent-chat.ts';
import { defineElement } from '../../src/widget/platform/define-element.ts';
import { deep, deepAll } from './content/item-fixture.ts';

defineElement('agent-chat', AgentChat);

/** Answers a request of the widget; `undefined`: with 404. */
export type Answer = (request: {
  readonly url: URL;
  readonly method: string;
  readonly body: string;
}) => Response | undefined;

/** Takes the place of the network until the function that it returns is called. */
export function serve(answer: Answer): () => void {
  const { fetch } = window;
  window.fetch = (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(request?.url ?? String(input), location.href);
    const method = init?.method ?? request?.method ?? 'GET';
    const signal = init?.signal ?? request?.signal;
    const response = answer({ url, method, body: String(init?.body ?? '') });
    return Promise.resolve(response ? abortable(response, signal) : Response.json({}, { status: 404 }));
  };
  return () => (window.fetch = fetch);
}

/** A stream of events as the service sends it, `pauseMs` between two of them. */
export function streamOf(events: readonly WireEvent[], pauseMs = 0): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      for (const { id, event, data } of events) {
        stream.enqueue(encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      stream.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

let turns = 0;
/** A plain turn in a thread of its own each time: an element that was removed keeps its thread for a while. */
export function freshTurn(pieces: readonly string[]): WireEvent[] {
  turns += 1;
  const id = `-8${String(turns).padStart(3, '0')}-`;
  const turn = JSON.parse(JSON.stringify(plainTurn(pieces)).replaceAll('-8000-', id)) as WireEvent[]; // as before
  return turn.map((event, index) => ({ ...event, id: `${Date.now()}-${index}` }));
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

/** Waits for a condition, as long as a busy machine may need. */
export function until(condition: () => unknown): Promise<void> {
  return waitUntil(condition, undefined, { timeout: 10_000 });
}

/** The whole widget in the page of a browser test. Answers come from `serve`. */
export class ChatFixture {
  readonly host = document.createElement('agent-chat') as AgentChat; // defined above

  /** For a visitor who comes for the first time. `json`: the settings inside the element. */
  static begin(attributes: Readonly<Record<string, string>> = {}, json?: unknown): ChatFixture {
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
    document.body.append(chat.host);
    return chat;
  }

  get composer(): HTMLTextAreaElement {
    return deep<HTMLTextAreaElement>(this.host, 'textarea');
  }

  get turns(): HTMLElement[] {
    return deepAll(this.host, 'agent-chat-turn');
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
