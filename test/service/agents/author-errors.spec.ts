import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { collect, say, until } from '../running-service.ts';
import { startChild, type ServiceChild } from '../service-child.ts';
import { failure } from './upstreams/run-events.ts';

/* What the log tells the author of a back end about the errors that authors make, and that it quotes no text. */

const secretText = 'Marigold lies at berth C 14';
const delta = (text: string): string =>
  `${JSON.stringify({ event: 'message.delta', data: { delta: { text } } })}\n`;
const done = '{"event":"done"}\n';

/** Answers by the visitor's word. */
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'not json': (response) => response.end(`${delta('So. ')}{'event': '${secretText}'}\n${done}`),
  'no event': (response) => response.end(`${delta('So. ')}{"say":"${secretText}"}\n${done}`),
  'typing error': (response) =>
    response.end(`{"event":"message.dleta","data":{"delta":{"text":"${secretText}"}}}\n${done}`),
  'a sentence as kind': (response) => response.end(`{"event":"${secretText}"}\n${done}`),
  nothing: (response) => response.end(done),
  'a misplaced text': (response) =>
    response.end(`{"event":"message.delta","data":{"delta":{"words":"${secretText}"}}}\n${done}`),
  'an empty text': (response) => response.end(delta('') + done),
  'an empty message': (response) =>
    response.end(`{"event":"message.created","data":{"message":{"role":"assistant","content":[]}}}\n${done}`),
  'an empty question': (response) => response.end('{"event":"message.interrupt","data":{"message":{}}}\n'),
  'an asking text': (response) =>
    response.end(`${delta('Which berth?')}{"event":"message.interrupt","data":{}}\n`),
  'a cut after the question': (response) =>
    response.write(
      `${delta('Which berth?')}{"event":"message.interrupt","data":{}}\n`,
      () => void setTimeout(() => response.socket?.resetAndDestroy(), 50),
    ),
  'a bare failure': (response) =>
    response.end(`{"event":"run.failed","data":{"error":"${secretText}"}}\n${done}`),
  'a stray error': (response) =>
    response.end(`{"event":"error","data":{"error":{"code":"x","message":"We are closed."}}}\n${done}`),
  'as visitor': (response) =>
    response.end(
      `{"event":"message.created","data":{"message":{"role":"user","content":"${secretText}"}}}\n${done}`,
    ),
  'not accepted': (response) => response.writeHead(422).end(secretText),
  'its own exception': (response) => response.writeHead(500).end(secretText),
  busy: (response) => response.writeHead(429, { 'retry-after': '0' }).end(secretText),
  'after the end': (response) =>
    response.end(`${delta('So.')}{"event":"run.completed"}\n${delta(secretText)}${done}`),
  'a page': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${secretText}</html>`),
  empty: (response) => response.end(),
  'no end': (response) => response.end(delta(secretText)),
  'broken off': (response) => response.write(delta(secretText), () => response.socket?.resetAndDestroy()),
  moved: (response) => response.writeHead(302, { location: `/${secretText.length}` }).end(),
  refused: (response) => response.writeHead(401).end(secretText),
  'by callback': (response) => response.writeHead(202).end(),
  'its own failure': (response) =>
    response.end(
      `${delta('So.')}{"event":"run.failed","data":{"error":{"code":"tide_table","message":"${secretText}"}}}\n`,
    ),
  'developer beside the error': (response) =>
    response.end(
      '{"event":"run.failed","data":{"audience":"developer","error":{"code":"db","message":"down"}}}\n',
    ),
};

/** What a module yields by the visitor's word, and what the log says of it. */
const moduleFaults = [
  ['typing error', 'unknown event kind \\"message.dleta\\"'],
  ['nothing', 'the answer shows nothing: send \\"message.delta\\"'],
  ['an empty text', 'the answer shows nothing: send \\"message.delta\\"'],
  ['a misplaced text', 'the answer shows nothing: send \\"message.delta\\" with a text'],
  ['a returned text', 'the module returned a value, which was left out'],
  ['no error', 'the module threw a value that is no Error'],
  ['no generator', 'run.tools.loop must get an async function*'],
  ['no list', 'must return a list of { name, args }, or nothing'],
  ['no name', 'must return a list of { name, args }, or nothing'],
] as const;

const idOf = (word: string): string => word.replaceAll(' ', '-');

let backend: Server;
let service: ServiceChild;
let directory: string;

test.beforeAll(async () => {
  test.setTimeout(240_000); // builds the service
  backend = createServer((request, response) => {
    void request.toArray().then((parts) => {
      const { message } = JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as {
        message?: { content: { text: string }[] };
      };
      if (message) answers[message.content[0]?.text ?? '']?.(response);
      else if (request.url?.startsWith('/agui')) {
        const ids = { threadId: 't', runId: 'r' };
        const started = { type: 'RUN_STARTED', ...ids };
        const streams = {
          '/agui': [started, { type: 'RUN_ERROR', message: secretText, code: 'GRAPH_RECURSION_LIMIT' }],
          '/agui-silent': [started, { type: 'RUN_FINISHED', ...ids }],
          '/agui-order': [
            started,
            { type: 'TEXT_MESSAGE_CONTENT', messageId: secretText, delta: secretText },
          ],
          '/agui-fields': [{ type: 'RUN_STARTED', thread_id: secretText, runId: 'r' }],
        };
        const events = streams[request.url as keyof typeof streams]; // the agents' own
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      } else response.writeHead(404).end(); // a request to a model
    });
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  const { port } = backend.address() as AddressInfo; // listening on a port
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port: closedPort } = closed.address() as AddressInfo; // listening on a port
  closed.close();
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-authors-'));
  const agents = [
    // each with an agent of its own, because a text is logged once a minute for each agent
    ...Object.keys(answers).map((word) => ({
      id: idOf(word),
      kind: 'http',
      url: `http://127.0.0.1:${port}/`,
    })),
    ...['agui', 'agui-silent', 'agui-order', 'agui-fields'].map((id) => ({
      id,
      kind: 'agui',
      url: `http://127.0.0.1:${port}/${id}`,
    })),
    { id: 'model', kind: 'openai', base_url: `http://127.0.0.1:${port}/v1`, model: 'm' },
    {
      id: 'server',
      kind: 'openai',
      base_url: `http://127.0.0.1:${port}/v1`,
      model: 'm',
      tools: {
        mcp_servers: [
          { name: 'ends', command: process.execPath, args: ['-e', ''] },
          {
            name: 'odd',
            command: process.execPath,
            args: [fileURLToPath(new URL('../tools/odd-server.mjs', import.meta.url))],
            approve_tools: { bok: 'always' },
          },
        ],
      },
    },
    ...moduleFaults.map(([word]) => ({
      id: `module-${idOf(word)}`,
      kind: 'module',
      module: './module.mjs',
      tools: {},
    })),
    { id: 'away', kind: 'http', url: `http://127.0.0.1:${closedPort}/` },
    { id: 'model-away', kind: 'openai', base_url: `http://127.0.0.1:${closedPort}/v1`, model: 'm' },
  ];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  writeFileSync(
    join(directory, 'module.mjs'),
    `export default async function* (run) {
      const [{ text }] = run.message.content;
      if (text === 'nothing') return;
      if (text === 'an empty text') return yield '';
      if (text === 'a returned text') return (yield 'So.', '${secretText}');
      if (text === 'a misplaced text') return yield { event: 'message.delta', data: { delta: { words: '${secretText}' } } };
      if (text === 'no error') throw '${secretText}';
      if (text === 'no generator') return yield* run.tools.loop(async () => []);
      if (text === 'no list') return yield* run.tools.loop(async function* () { return 'book'; });
      if (text === 'no name') return yield* run.tools.loop(async function* () { return [{ tool: 'book' }]; });
      yield { event: 'message.dleta', data: {} };
      yield 'So.';
    }`,
  );
  service = await startChild({
    AGENTS_FILE: join(directory, 'agents.json'),
    DATA_DIR: join(directory, 'data'),
  });
});
test.afterAll(async () => {
  await service.kill('SIGTERM');
  backend.close();
  rmSync(directory, { recursive: true });
});

/** Asks, and returns the events of the run with the lines that it left in the log. */
async function ask(text: string, agentId = idOf(text)) {
  const from = service.log.length;
  const events = await collect(service.client().runStream(say(text, { agent_id: agentId })));
  const runId = String(events[0]?.data['run_id']);
  const lines = (): string[] => service.log.slice(from);
  await until(() => lines().some((line) => line.includes(runId) && line.includes('run ended')));
  return { events, log: lines().join('\n'), runId };
}

for (const [word, told] of [
  ['not json', 'a line of the answer is not JSON and was left out: send one JSON object in each line'],
  ['no event', 'a line of the answer has no \\"event\\"'],
  ['typing error', 'unknown event kind \\"message.dleta\\"'],
  ['a sentence as kind', 'unknown event kind: the page gets the event'],
  ['nothing', 'the answer shows nothing: send \\"message.delta\\"'],
  ['a misplaced text', 'the answer shows nothing: send \\"message.delta\\" with a text'],
  ['an empty text', 'the answer shows nothing: send \\"message.delta\\"'],
  ['an empty message', 'the answer shows nothing: send \\"message.delta\\"'],
  ['an empty question', 'the answer shows nothing: send \\"message.delta\\"'],
  ['a bare failure', '\\"run.failed\\" has no \\"error\\" with a \\"message\\"'],
  ['as visitor', 'a message has the role \\"user\\"'],
  ['not accepted', 'upstream answered 422: it did not accept the request: look at its own log'],
  ['its own exception', 'upstream answered 500: it failed: look at its own log'],
  ['busy', 'upstream answered 429: it is busy, or limits the requests of this service'],
  ['after the end', 'an event came after \\"run.completed\\"'],
  ['a page', 'upstream answered 200 (text/html) without an event: it begins with HTML'],
  ['empty', 'upstream closed the stream without an event: the last event must be \\"done\\"'],
  ['no end', 'upstream closed the stream after \\"message.delta\\"'],
  ['broken off', 'the connection to upstream broke during the answer ('],
  ['its own failure', '"status":"failed","reason":"tide_table"'],
  ['moved', 'redirects are not followed: configure the final address'],
  ['refused', 'upstream answered 401: check \\"headers_env\\" and \\"signing_secret_env\\"'],
] as const) {
  test(`the log says what is wrong with an answer: ${word}`, async () => {
    const { log } = await ask(word);
    expect(log).toContain(told);
    expect(log).not.toContain('berth');
  });
}

test('the end of a failed run is a warning: the playground logs no less', async () => {
  const levels: unknown[] = [];
  for (const word of ['its own failure', 'an asking text']) {
    const { log } = await ask(word);
    const ended = log.split('\n').find((line) => line.includes('"run ended"'));
    levels.push((JSON.parse(ended ?? '{}') as Record<string, unknown>)['level']);
  }
  expect(levels).toEqual([40, 30]);
});

test('a question that is the text before it is no fault', async () => {
  expect((await ask('an asking text')).log).not.toContain('shows nothing');
});

test('a connection that breaks after a question leaves the question open', async () => {
  const kindsOf = async (word: string): Promise<string[]> =>
    (await ask(word)).events.map(({ event }) => event);
  expect(await kindsOf('a cut after the question')).toEqual(await kindsOf('an asking text'));
});

test('the words of an error event are for the visitor, too', async () => {
  const { events } = await ask('a stray error');
  expect(failure(events)?.['error']).toMatchObject({ audience: 'visitor', message: 'We are closed.' });
});

test('the same fault is logged with the ids of its run, and once a minute', async () => {
  await ask('not json');
  await ask('not json');
  const lines = service.log.filter((line) => line.includes('is not JSON'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ agent_id: 'not-json' });
  expect(Object.keys(JSON.parse(lines[0] ?? '') as object)).toContain('run_id');
});

test('in the playground, the same fault is logged in each run: an author tries again within a minute', async () => {
  const files = { AGENTS_FILE: join(directory, 'agents.json'), DATA_DIR: join(directory, 'playground') };
  const playground = await startChild(files, 'playground');
  try {
    const chat = (): Promise<unknown> =>
      collect(playground.client().runStream(say('not json', { agent_id: 'not-json' })));
    await chat();
    await chat();
    const lines = (): string[] => playground.log.filter((line) => line.includes('is not JSON'));
    await until(() => lines().length === 2);
  } finally {
    await playground.kill('SIGTERM');
  }
});

for (const agent of ['away', 'model-away'])
  test(`a back end or model that is not there is named with the reason: ${agent}`, async () => {
    const { log } = await ask('Ahoy', agent);
    expect(log).toMatch(/upstream could not be reached, or the connection broke \([A-Z_]+\)/);
  });

test('the log has the word of an AG-UI agent for its error', async () => {
  const { log } = await ask('Ahoy', 'agui');
  expect(log).toContain('upstream reported an error (GRAPH_RECURSION_LIMIT) instead of an answer');
  expect(log).not.toContain('berth');
});

for (const [agent, told] of [
  ['agui-order', 'after RUN_STARTED: see TEXT_MESSAGE_CONTENT, TEXT_MESSAGE_START'],
  ['agui-fields', 'with its first event: see threadId'],
] as const)
  test(`the log says which rule an AG-UI agent broke: ${agent}`, async () => {
    const { log } = await ask('Ahoy', agent);
    expect(log).toContain(`upstream broke the rules of AG-UI ${told}`);
    expect(log).not.toContain('berth');
  });

test('the log says what to check after a status of a model', async () => {
  const { log } = await ask('Ahoy', 'model');
  expect(log).toContain('upstream answered 404: check \\"base_url\\" and \\"model\\"');
});

test('the log says that the process of an MCP server ended, and which names fit no tool', async () => {
  const { log } = await ask('Ahoy', 'server');
  expect(log).toContain(
    '\\"ends\\" cannot be listed: its process ended; run its command by hand to read why',
  );
  expect(log).toContain('\\"odd\\" has no such tool: \\"approve_tools\\" names bok. It has ');
});

for (const [word, told] of moduleFaults)
  test(`the log says what is wrong with the answer of a module: ${word}`, async () => {
    const { log } = await ask(word, `module-${idOf(word)}`);
    expect(log).toContain(told);
    expect(log).not.toContain('berth');
    expect(log.includes('answer shows nothing')).toBe(told.includes('answer shows nothing'));
  });

test('the log says that the answer of an AG-UI agent shows nothing', async () => {
  const { log } = await ask('Ahoy', 'agui-silent');
  expect(log).toContain('the answer shows nothing: send a text (TEXT_MESSAGE_CONTENT) before RUN_FINISHED');
});

test('an answer that comes by callback is no fault', async () => {
  const { events, log } = await ask('by callback');
  expect(log).not.toContain('shows nothing');
  const created = events.find(({ event }) => event === 'message.created')?.data['message'];
  expect(created).toMatchObject({
    content: [],
    additional_properties: { display_properties: { is_async: true } },
  });
});

test('“audience” is understood beside the error, too: the visitor does not read it', async () => {
  const { events } = await ask('developer beside the error');
  expect(failure(events)?.['error']).toMatchObject({ audience: 'developer' });
});
