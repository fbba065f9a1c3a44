import type { AgentClient, AgentClientOptions } from '../client/agent-client.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { ChatSession } from '../session/index.ts';
import type { TranscriptElement } from './components/transcript.ts';
import { bringActions } from './components/turn.ts';
import { configContext, type PanelConfig } from './contexts.ts';
import { turnsOf } from './turns.ts';

/** What a rehearsal is played with. */
export interface Rehearsal {
  readonly createClient: (options: AgentClientOptions) => AgentClient;
  readonly panel: PanelConfig;
  /** Where the page's own transcript stands, so that the same sheets apply. */
  readonly place: ParentNode;
  /** Whether the first turn is still to come. */
  readonly isWanted: () => boolean;
}

/** Short, but with a bit of everything an answer is made of, some of it twice: the first and the next go other ways. */
const text =
  'A **b** *c* `d` [e](f).\n\n## g\n\n- h **i**\n- j\n- k\n\n| l | m |\n|---|---|\n| n | o |\n| p | q |\n\n' +
  '> r\n\ns t';
/** How often it is drawn, at most. */
const states = 20;

let isPlayed = false;

/**
 * Plays a short turn that nobody sees, once on a page, when the page has nothing else to do: what the visitor's first
 * turn needs is compiled by then, its sheets are read, its templates made. Nothing leaves the page, nothing stays in it.
 */
export async function rehearse(rehearsal: Rehearsal): Promise<void> {
  if (isPlayed) return;
  isPlayed = true;
  await idle();
  if (!rehearsal.isWanted()) return;
  const conversations = await converse(rehearsal);
  await idle();
  if (!rehearsal.isWanted()) return;
  await draw(
    rehearsal,
    conversations.filter(({ runs }) => runs.at(-1)?.endedAt === undefined),
  );
  await idle();
  // what every answer needs once it is finished; what cannot be had now is asked for again then
  const [actions] = await Promise.allSettled([
    bringActions(),
    import('./narrator.ts'),
    import('./tab-sync.ts'),
  ]);
  await idle();
  if (rehearsal.isWanted() && actions.status === 'fulfilled') await draw(rehearsal, conversations.slice(-1));
}

/** The conversation as it was after each event of one turn. */
async function converse({ createClient }: Rehearsal): Promise<readonly Conversation[]> {
  const client = createClient({
    baseUrl: document.baseURI,
    tokenProvider: () => 'none',
    fetch: () =>
      Promise.resolve(new Response(answer(), { headers: { 'content-type': 'text/event-stream' } })),
  });
  const session = new ChatSession({
    client,
    settings: () => ({ notifications: false, resumable: false }),
    storage: { load: () => undefined, save: () => undefined, clear: () => undefined },
  });
  const seen: Conversation[] = [];
  session.subscribe(() => seen.push(session.conversation));
  await session.send(text);
  return seen;
}

/** Draws some of them, in one go, so that no frame shows it. */
async function draw({ panel, place }: Rehearsal, conversations: readonly Conversation[]): Promise<void> {
  const stage = document.createElement('div');
  const transcript = document.createElement('agent-chat-transcript') as TranscriptElement; // defined with the panel
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
    if (event.context === configContext) event.callback(panel);
  });
  stage.append(transcript);
  place.append(stage);
  const count = Math.min(states, conversations.length);
  for (let state = 1; state <= count; state += 1) {
    const conversation = conversations[Math.round((state / count) * conversations.length) - 1];
    if (!conversation) continue;
    transcript.view = {
      conversation,
      turns: turnsOf(conversation, transcript.view?.turns ?? []),
      run: conversation.runs.at(-1),
    };
    // the turn is drawn after the transcript, and what stands in the turn after that
    for (let depth = 0; depth < 4; depth += 1) await transcript.updateComplete;
    void stage.offsetHeight;
  }
  stage.remove();
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 200);
  });
}

/** An answer as a service streams it, one event a read. */
function answer(): ReadableStream<Uint8Array> {
  const content = (part: string): object => ({
    role: 'assistant',
    content: [{ response_type: 'text', text: part }],
  });
  const events: readonly (readonly [string, object])[] = [
    ['run.started', {}],
    ['message.started', {}],
    ...Array.from(text, (part) => ['message.delta', { delta: content(part) }] as const),
    ['message.created', { message: content(text) }],
    ['message.completed', {}],
    ['run.completed', {}],
    ['done', {}],
  ];
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      events.forEach(([event, data], at) => {
        const json = JSON.stringify({ id: `${at}-0`, event, data });
        controller.enqueue(encoder.encode(`id: ${at}-0\nevent: ${event}\ndata: ${json}\n\n`));
      });
      controller.close();
    },
  });
}
