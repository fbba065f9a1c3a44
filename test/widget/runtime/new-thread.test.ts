import { expect, waitUntil } from '@open-wc/testing';
import { AgentChat } from '../../../src/widget/element/agent-chat.ts';
import type { MessageSubmitEvent, RunEndEvent } from '../../../src/widget/events/chat-events.ts';
import { defineElement } from '../../../src/widget/platform/define-element.ts';
import { deep, deepAll } from '../content/item-fixture.ts';

defineElement('agent-chat', AgentChat);

/** A chat whose service starts each run and never ends it. */
class Visit {
  readonly chat = new AgentChat();
  readonly ends: string[] = [];
  readonly posts: string[] = [];
  /** Status of the answers to runs. */
  status = 200;

  static async begin(): Promise<Visit> {
    const visit = new Visit();
    const { chat } = visit;
    chat.agentId = 'harbour';
    chat.token = 'none';
    chat.storage = 'none';
    chat.lang = 'en';
    chat.fetch = (url, init) => Promise.resolve(visit.#answer(String(url), init));
    chat.addEventListener('agent-chat-run-end', (event) => visit.ends.push((event as RunEndEvent).status)); // its type
    document.body.append(chat);
    await chat.show();
    await waitUntil(() => deepAll(chat, 'textarea').length > 0);
    return visit;
  }

  get composer(): HTMLTextAreaElement {
    return deep<HTMLTextAreaElement>(this.chat, 'textarea');
  }

  /** Content of the live regions. */
  get spoken(): string {
    return deep(this.chat, 'agent-chat-panel').shadowRoot?.textContent ?? '';
  }

  get waiting(): readonly string[] {
    return (this.chat.conversation?.messages ?? [])
      .filter(({ status }) => status === 'queued')
      .map(({ items }) => items[0]?.text ?? '');
  }

  write(text: string): void {
    this.composer.value = text;
    this.composer.dispatchEvent(new InputEvent('input'));
  }

  enter(text: string): void {
    this.write(text);
    this.composer.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
  }

  #answer(url: string, init: RequestInit | undefined): Response {
    if (!url.endsWith('/runs/stream')) return new Response('{}', { status: 404 });
    this.posts.push(String(init?.body));
    if (this.status !== 200) return Response.json({}, { status: this.status });
    const data = { run_id: `R${this.posts.length}`, thread_id: 'T' };
    const line = `${JSON.stringify({ id: '1-0', event: 'run.started', data })}\n`;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode(line)),
    });
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
  }
}

describe('leaving a thread', () => {
  let visit: Visit;
  beforeEach(async () => {
    visit = await Visit.begin();
    visit.enter('First');
    await waitUntil(() => visit.chat.conversation?.runs[0]?.runId);
    visit.enter('Second');
    visit.enter('Third');
    await waitUntil(() => visit.waiting.length === 2);
    visit.write('and a draft');
  });
  afterEach(() => visit.chat.remove());

  const left = 'Second\n\nThird\n\nand a draft';

  it('ends its run for the page and returns unsent text', async () => {
    await visit.chat.newThread();
    await visit.chat.updateComplete;
    expect(visit.ends).to.deep.equal(['cancelled']);
    expect(visit.composer.value).to.equal(left);
    expect(visit.chat.conversation?.messages).to.deep.equal([]);
    await waitUntil(() => visit.spoken.includes('What you had not sent yet is back in the message field.'));
    expect(visit.posts).to.have.length(1);
  });

  it('works by the button and when the page shows another thread, too', async () => {
    deep(visit.chat, 'button[aria-label="New chat"]').click();
    await waitUntil(() => visit.composer.value === left);
    expect(visit.ends).to.deep.equal(['cancelled']);
    visit.enter(left);
    await waitUntil(() => visit.posts.length === 2);
    visit.enter('One more');
    await waitUntil(() => visit.waiting.length === 1);
    await visit.chat.setThread('5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10');
    await waitUntil(() => visit.composer.value === 'One more');
    // it continues at the service
    expect(visit.ends).to.deep.equal(['cancelled', 'interrupted']);
    expect(visit.chat.conversation?.runs).to.deep.equal([]);
  });

  it('returns, at once and only once, what the page delays', async () => {
    let letGo = (): void => undefined;
    visit.chat.addEventListener(
      'agent-chat-message-submit',
      (event) => (event as MessageSubmitEvent).waitUntil(new Promise<void>((resolve) => (letGo = resolve))), // its type
    );
    visit.enter('Held');
    await visit.chat.newThread();
    await waitUntil(() => visit.composer.value === 'Second\n\nThird\n\nHeld');
    letGo();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(visit.composer.value).to.equal('Second\n\nThird\n\nHeld');
    expect(visit.posts).to.have.length(1);
  });

  it('returns the last messages that the service did not take, and no older ones', async () => {
    visit.chat.remove();
    visit = await Visit.begin();
    const notices = (): readonly HTMLElement[] => deepAll(visit.chat, 'agent-chat-notice');
    visit.status = 422;
    visit.enter('Long ago');
    await waitUntil(() => notices().length === 1);
    visit.status = 200;
    visit.enter('Taken');
    await waitUntil(() => visit.chat.conversation?.runs.at(-1)?.runId);
    await visit.chat.stop();
    visit.status = 404;
    visit.enter('Not taken');
    await waitUntil(() => notices().length === 3);
    visit.enter('Nor this');
    await waitUntil(() => notices().length === 4);
    deep(notices().at(-1)!, 'button').click();
    await waitUntil(() => visit.composer.value === 'Not taken\n\nNor this');
    expect(visit.chat.conversation?.messages).to.deep.equal([]);
  });

  it('does nothing when the thread is the same', async () => {
    visit.chat.remove();
    visit = await Visit.begin();
    visit.write('a draft');
    await visit.chat.newThread();
    expect([visit.composer.value, visit.ends]).to.deep.equal(['a draft', []]);
  });
});
