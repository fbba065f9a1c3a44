import { ChatSession } from '../../src/session/index.ts';
import type { ChatSessionOptions, SessionSettings } from '../../src/session/index.ts';
import type { WireDiagnostic } from '../../src/client/agent-client.ts';
import { FakeClient } from './fake-client.ts';
import type { FakeStream } from './fake-client.ts';
import { ManualClock, settle } from './manual-clock.ts';

/** A session on a client and a clock of the test's own. */
export class Harness {
  readonly client = new FakeClient();
  readonly clock = new ManualClock();
  readonly diagnostics: WireDiagnostic[] = [];
  readonly connections: string[] = [];
  settings: SessionSettings = {};
  isOnline = true;
  readonly session: ChatSession;

  constructor(options: Partial<ChatSessionOptions> = {}) {
    this.session = new ChatSession({
      client: this.client,
      clock: this.clock,
      settings: () => this.settings,
      online: () => this.isOnline,
      onDiagnostic: (diagnostic) => {
        this.diagnostics.push(diagnostic);
      },
      ...options,
    });
    this.session.subscribe(() => {
      const { connection } = this.session;
      if (this.connections.at(-1) !== connection) this.connections.push(connection);
    });
  }

  /** The last answer's text, as shown. */
  get answer(): string {
    const message = this.session.conversation.messages.findLast(({ role }) => role !== 'user');
    return message?.items.map(({ text }) => text).join('|') ?? '';
  }

  /** The last run. */
  get run() {
    return this.session.conversation.runs.at(-1)!;
  }

  /** What the visitor sees of what was said, in order. */
  get transcript(): string[] {
    return this.session.conversation.messages
      .filter(({ hidden, superseded }) => !hidden && !superseded)
      .map(({ role, items, status }) => `${role}: ${items.map(({ text }) => text).join('|')} (${status})`);
  }

  /** Sends, and gives the stream that was posted. */
  async say(text: string): Promise<{ readonly stream: FakeStream; readonly turn: Promise<void> }> {
    const turn = this.session.send(text);
    await settle();
    return { stream: this.client.posts.at(-1)!, turn };
  }

  /** Plays a whole turn with this answer. */
  async exchange(text: string, answer: string, messageId = 'M'): Promise<void> {
    const { stream, turn } = await this.say(text);
    begin(stream);
    delta(stream, answer);
    finish(stream, answer, messageId);
    await turn;
    await settle();
  }
}

/** The response begins, and the run with it. */
export function begin(stream: FakeStream, runId = 'R'): FakeStream {
  return stream
    .open()
    .emit('run.started', { run_id: runId, thread_id: 'T' })
    .emit('message.started', { run_id: runId, thread_id: 'T' });
}

/** The answer grows. */
export function delta(stream: FakeStream, text: string): FakeStream {
  return stream.emit('message.delta', { delta: { content: [{ id: '1', response_type: 'text', text }] } });
}

/** The answer is told whole, and the run ends. */
export function finish(stream: FakeStream, answer: string, messageId = 'M'): FakeStream {
  const content = [{ id: '1', response_type: 'text', text: answer }];
  return stream
    .emit('message.created', {
      message_id: messageId,
      message: { id: messageId, role: 'assistant', parent_message_id: `${messageId}-prompt`, content },
    })
    .emit('message.completed')
    .emit('run.completed', { context: { seen: answer } })
    .emit('done')
    .close();
}
