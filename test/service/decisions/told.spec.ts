import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { RunEvent, RunRequest } from '../../../src/protocol/index.ts';
import { startFakeUpstream, type FakeUpstream } from '../agents/upstreams/fake-upstream.ts';
import { wires, type Wire } from '../agents/upstreams/wires.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';
import { answer, askedIn, booking, pairingFault, type Call, type ChatMessage } from './booking.ts';

/*
 * What each kind of model reads after a decision: a model answers the last message, and takes the messages of the
 * assistant for its own words.
 */

const harbour = fileURLToPath(new URL('../../../demo/agents/harbour.mjs', import.meta.url));
const keyVariable = 'TEST_UPSTREAM_KEY';
const highlight = { name: 'highlight_berth', title: 'Highlight a berth', input_schema: { type: 'object' } };
const find: Call = ['find_berth', { length: 9 }];
const cancel: Call = ['cancel_booking', { booking: 'HB-9' }];
const highlightCall: Call = ['page__highlight_berth', { berth: 'A1' }];

type Body = Readonly<Record<string, unknown>>;
type Told = readonly [who: 'user' | 'assistant' | 'call' | 'result', what: unknown];

interface Block {
  readonly type: string;
  readonly text: string;
  readonly name: string;
  readonly content: string;
}

/** Reads the conversation of a request, and checks what a strict service would. */
const readers: Readonly<Record<string, (body: Body) => Told[]>> = {
  openai: (body) => {
    const messages = body['messages'] as ChatMessage[];
    expect(pairingFault(messages)).toBeUndefined();
    return messages.flatMap(({ role, content, tool_calls: calls = [] }): Told[] => [
      ...(content === null ? [] : [[role === 'tool' ? 'result' : role, content] as Told]),
      ...calls.map((call): Told => ['call', call.function.name]),
    ]);
  },
  anthropic: (body) => {
    const messages = body['messages'] as { role: 'user' | 'assistant'; content: Block[] }[];
    messages.forEach(({ role, content }, place) => {
      expect(role).toBe(place % 2 === 0 ? 'user' : 'assistant');
      const before = messages[place - 1]?.content ?? [];
      const made = before.filter(({ type }) => type === 'tool_use').length;
      expect(content.slice(0, made).map(({ type }) => type)).toEqual(Array(made).fill('tool_result'));
    });
    expect(messages.at(-1)?.role).toBe('user'); // a last message of the assistant would be continued
    return messages.flatMap(({ role, content }) =>
      content.map(({ type, text, name, content: result }): Told => {
        if (type === 'text') return [role, text];
        return type === 'tool_use' ? ['call', name] : ['result', result];
      }),
    );
  },
  responses: (body) =>
    (body['input'] as ({ type?: string; role: 'user' | 'assistant'; output: string } & Block)[]).map(
      ({ type, role, name, content, output }): Told => {
        if (type === 'function_call') return ['call', name];
        return type === 'function_call_output' ? ['result', output] : [role, content];
      },
    ),
};

for (const wire of wires) {
  const read = readers[wire.kind];
  if (read) test.describe(wire.kind, () => tellsModel(wire, read));
}

function tellsModel(wire: Wire, read: (body: Body) => Told[]): void {
  let upstream: FakeUpstream;
  let running: RunningService;
  let directory: string;
  /** What the model says to the next requests; then "Done." */
  let script: (readonly [text: string, ...calls: Call[]])[];

  test.beforeAll(async () => {
    upstream = await startFakeUpstream(wire.type);
    upstream.answer = async (_request, reply) => {
      const [text, ...calls] = script.shift() ?? ['Done.'];
      const made = calls.map(([name, args], place) => ({ id: `c${place}`, name, args: args as Body }));
      await reply.raw(wire.start() + wire.text(text) + wire.calls(made) + wire.end(calls.length > 0));
      reply.close();
    };
    directory = mkdtempSync(join(tmpdir(), 'agent-chat-told-'));
    process.env[keyVariable] = 'key-of-the-test';
    const server = { name: 'berths', command: process.execPath, args: [harbour, '5'], approve: 'writes' };
    const clerk = { ...wire.entry(upstream.address), id: 'clerk', kind: wire.kind };
    const agents = [{ ...clerk, tools: { mcp_servers: [server] } }];
    writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
    running = await startService({ agentsFile: join(directory, 'agents.json') });
  });
  test.afterAll(async () => {
    Reflect.deleteProperty(process.env, keyVariable);
    await running.close();
    await upstream.stop();
    rmSync(directory, { recursive: true });
  });

  const send = (request: RunRequest): Promise<RunEvent[]> => collect(running.client().runStream(request));
  const ask = (text: string, more: Partial<RunRequest> = {}): Promise<RunEvent[]> =>
    send(say(text, { agent_id: 'clerk', ...more }));
  const threadOf = (events: readonly RunEvent[]) => ({ thread_id: String(events[0]?.data['thread_id']) });
  const told = (): Told[] => {
    const turns = read(upstream.requests.at(-1)?.body ?? {});
    expect(JSON.stringify(turns.filter(([who]) => who === 'assistant'))).not.toMatch(
      /form_data|tool_approval/,
    );
    return turns;
  };
  const like = (text: string): unknown => expect.stringContaining(text);
  const asked: Told[] = [
    ['user', 'Book it'],
    ['assistant', 'I will book.'],
    ['call', 'book_berth'],
  ];

  test('between the calls of one run, the model reads what it said before each of them', async () => {
    script = [['Let me look.', find], ['One is free. Once more.', find], ['A4 it is.']];
    expect(spelled(await ask('Is a berth free?'))).toContain('A4 it is.');
    const turn = (text: string): Told[] => [
      ['assistant', text],
      ['call', 'find_berth'],
      ['result', like('A4')],
    ];
    const question: Told = ['user', 'Is a berth free?'];
    expect(told()).toEqual([question, ...turn('Let me look.'), ...turn('One is free. Once more.')]);
  });

  for (const [operation, result] of [
    ['submit', 'HB-'],
    ['cancel', 'declined this call'],
  ] as const)
    test(`after the decision "${operation}", the result is last`, async () => {
      script = [['I will book.', booking]];
      const asking = await ask('Book it');
      expect(spelled(await send(answer(asking, operation)))).toBe('Done.');
      expect(told()).toEqual([...asked, ['result', like(result)]]);
      await ask('And now?', threadOf(asking));
      const later: Told[] = [
        ...asked,
        ['result', like(result)],
        ['assistant', 'Done.'],
        ['user', 'And now?'],
      ];
      expect(told()).toEqual(later);
    });

  for (const [outcome, result] of [
    [{ content: 'lit' }, 'lit'],
    [{ error: 'declined' }, 'declined this call'],
  ] as const)
    test(`after the page's ${Object.keys(outcome).join()}, the result is last`, async () => {
      script = [['I will show it.', highlightCall]];
      const more = { additional_parameters: { page_tools: [highlight] } };
      const asking = await ask('Where is it?', more);
      const created = asking.findLast(({ event }) => event === 'message.created')?.data;
      const { id } = (created?.['message'] as { content: { id: string }[] }).content[0] ?? {};
      const item = {
        response_type: 'user_defined',
        user_defined: { type: 'page_tool_result', id, ...outcome },
      };
      const request = say('', { agent_id: 'clerk', ...threadOf(asking), ...more });
      await send({ ...request, message: { role: 'user', content: [item] } });
      const turns: Told[] = [
        ['user', 'Where is it?'],
        ['assistant', 'I will show it.'],
        ['call', 'page__highlight_berth'],
        ['result', like(result)],
      ];
      expect(told()).toEqual(turns);
      await ask('And now?', threadOf(asking));
      expect(told()).toEqual([...turns, ['assistant', 'Done.'], ['user', 'And now?']]);
    });

  test('a call that needs no approval stays beside the one that waits', async () => {
    script = [['I will book.', find, booking]];
    await send(answer(await ask('Book it'), 'submit'));
    expect(told()).toEqual([
      ...asked.slice(0, 2),
      ['call', 'find_berth'],
      ['call', 'book_berth'],
      ['result', like('berth')],
      ['result', like('HB-')],
    ]);
  });

  test('two decisions: both results are last, in the order of the calls', async () => {
    script = [['I will book.', booking, cancel]];
    const asking = await ask('Book it');
    expect(askedIn(asking)).toHaveLength(2);
    await send(answer(asking, 'cancel', {}, 1));
    await send(answer(asking, 'submit', {}, 0));
    expect(told()).toEqual([
      ...asked,
      ['call', 'cancel_booking'],
      ['result', like('HB-')],
      ['result', like('declined this call')],
    ]);
  });

  test('several rounds: each comes once, after the text that led to it', async () => {
    script = [
      ['Looking.', find],
      ['I will book.', booking],
      ['I will look again.', find],
      ['I will cancel the other one.', cancel],
    ];
    const first = await ask('Book it');
    const second = await send(answer(first, 'submit'));
    await send(answer(second, 'cancel'));
    const found: Told[] = [
      ['call', 'find_berth'],
      ['result', like('berth')],
    ];
    const turns: Told[] = [
      ['user', 'Book it'],
      ...found,
      ['assistant', 'Looking.\n\nI will book.'],
      ['call', 'book_berth'],
      ['result', like('HB-')],
      ...found,
      ['assistant', 'I will look again.\n\nI will cancel the other one.'],
      ['call', 'cancel_booking'],
      ['result', like('declined this call')],
    ];
    expect(told()).toEqual(turns);
    await ask('And now?', threadOf(first));
    expect(told()).toEqual([...turns, ['assistant', 'Done.'], ['user', 'And now?']]);
  });

  test('a turn before the decision is answered as such, and the result is last after the decision', async () => {
    script = [['I will book.', booking], ['You have a question open.']];
    const asking = await ask('Book it');
    await ask('How much?', threadOf(asking));
    expect(told()).toEqual([...asked, ['result', like("Waiting for the visitor's")], ['user', 'How much?']]);
    await send(answer(asking, 'submit'));
    expect(told()).toEqual([
      ...asked.slice(0, 2),
      ['user', 'How much?'],
      ['assistant', 'You have a question open.'],
      ['call', 'book_berth'],
      ['result', like('HB-')],
    ]);
  });

  test('the context of the page does not separate the result from its call', async () => {
    script = [['I will book.', booking]];
    const context = { context: { page: 'Berths' } };
    const request = answer(await ask('Book it', context), 'submit');
    await send({ ...request, ...context });
    expect(told()).toEqual([
      ['user', like('Berths"}}\n\nBook it')],
      ...asked.slice(1),
      ['result', like('HB-')],
    ]);
  });
}
