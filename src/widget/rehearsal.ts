import { ContextEvent } from '@lit/context';
import type { AgentChat } from './agent-chat.ts';
import { Announcer } from './announcer.ts';
import { bringActions } from './components/turn.ts';
import { Narrator } from './narrator.ts';
import type { ChatRuntime } from './runtime.ts';

/** What a rehearsal is played with. */
export interface Rehearsal {
  /** Whose chat it is for. */
  readonly host: AgentChat;
  readonly createRuntime: (host: AgentChat) => ChatRuntime;
  /** Where the page's own transcript stands, so that the same sheets apply. */
  readonly place: ParentNode;
  /** Whether the first turn is still to come. */
  readonly isWanted: () => boolean;
}

/** Short, but with a bit of everything an answer is made of, some of it twice: the first and the next go other ways. */
const text =
  'A **b** *c* `d` [e](f).\n\n## g\n\n- h **i**\n- j\n- k\n\n| l | m |\n|---|---|\n| n | o |\n| p | q |\n\n' +
  '> r\n\n';
/** A paragraph that is long enough to be settled part by part. */
const prose = 'S *t* u '.repeat(45);
/** How many events come together, and milliseconds between two such reads. */
const together = 3;
const pace = 4;

/**
 * Plays a short turn that nobody sees, when the page has nothing else to do: what the visitor's first
 * turn needs is fetched and compiled by then, its sheets are read, its templates made. It is played by an element that
 * is in no page and a service that is none: nothing leaves the page, nothing stays in it.
 */
export async function rehearse({ host, createRuntime, place, isWanted }: Rehearsal): Promise<void> {
  await idle();
  if (!isWanted()) return;
  const player = new (host.constructor as typeof AgentChat)(); // its own class, whatever its tag is called
  player.words = host.words;
  player.setConfig('lang', host.words.locale);
  player.setConfig('storage', 'none');
  player.setConfig('open', true);
  player.setConfig('notifications', 'off');
  player.setOption('tokenProvider', () => 'none');
  const stopped = new Promise<void>((stop) => {
    const headers = { 'content-type': 'text/event-stream' };
    player.setOption('fetch', () => Promise.resolve(new Response(answer(isWanted, stop), { headers })));
  });
  const runtime = createRuntime(player);
  const before = runtime.session.conversation;
  const stage = stageFor(player);
  place.append(stage);
  runtime.hostMoved();
  try {
    await Promise.race([runtime.send(text), stopped]);
  } finally {
    runtime.hostLeft();
    stage.remove();
  }
  await idle();
  if (!isWanted()) return;
  const narrator = new Narrator(new Announcer(nowhere), { since: 0, told: '' });
  for (const conversation of [before, runtime.session.conversation])
    narrator.update({ ...scene, words: host.words, conversation });
}

const scene = { connection: 'idle', name: '', mode: 'answer', shown: true } as const;

function nowhere(): null {
  return null;
}

/** Shows the conversation of an element that is not in the page, out of sight. */
function stageFor(player: AgentChat): HTMLElement {
  const stage = document.createElement('div');
  stage.inert = true;
  Object.assign(stage.style, {
    position: 'absolute',
    visibility: 'hidden',
    contain: 'strict',
    width: '400px',
    height: '500px',
  });
  stage.addEventListener('context-request', (event) => {
    event.stopPropagation();
    const { context, contextTarget, callback, subscribe } = event;
    player.dispatchEvent(new ContextEvent(context, contextTarget, callback, subscribe));
  });
  // nobody who looks for a turn finds this one
  stage.attachShadow({ mode: 'closed' }).append(document.createElement('agent-chat-transcript'));
  return stage;
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 200);
  });
}

/** An answer as a service streams it; it falls silent when it is no longer wanted. */
function answer(isWanted: () => boolean, stop: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reads = readsOfAnswer();
  let read = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, pace));
      if (!isWanted()) {
        stop();
        return new Promise(() => undefined);
      }
      // what stands under a finished answer; what cannot be had now is asked for again then
      if (read === reads.length - 1) await bringActions().catch(nowhere);
      controller.enqueue(encoder.encode(reads[read]));
      read += 1;
      if (read === reads.length) controller.close();
    },
  });
}

/** The events of an answer, as many together as a read of the network brings. */
function readsOfAnswer(): readonly string[] {
  let id = 0;
  const record = (event: string, data: object = {}): string => {
    id += 1;
    const json = JSON.stringify({ id: `${id}-0`, event, data: { run_id: 'r', ...data } });
    return `id: ${id}-0\nevent: ${event}\ndata: ${json}\n\n`;
  };
  const content = (part: string): object => ({
    role: 'assistant',
    content: [{ response_type: 'text', text: part }],
  });
  const reads = [record('run.started') + record('message.started')];
  const parts = [...(text.match(/[^]{1,3}/g) ?? []), ...(prose.match(/.{1,30}/g) ?? [])];
  for (let at = 0; at < parts.length; at += together)
    reads.push(
      parts
        .slice(at, at + together)
        .map((part) => record('message.delta', { delta: content(part) }))
        .join(''),
    );
  reads.push(
    record('message.created', { message: content(text + prose) }) +
      record('message.completed') +
      record('run.completed') +
      record('done'),
  );
  return reads;
}
