import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import fastCheck from 'fast-check';
import type { Guardrails, RunEvent } from '../../src/protocol/index.ts';
import { detectByUrl } from '../../src/service/guardrails/detect-by-url.ts';
import { detectHap } from '../../src/service/guardrails/detect-hap.ts';
import { detectPii } from '../../src/service/guardrails/detect-pii.ts';
import { SentenceBuffer } from '../../src/service/guardrails/sentence-buffer.ts';
import { collect, say, spelled, startService, type RunningService } from './running-service.ts';

let running: RunningService;
let detector: Server;
let seen: { contents: string[] }[] = [];
let broken = false;
/** What the detector answers in place of its findings. */
let odd: string | undefined;
let directory: string;
let detectorAddress: string;

/** Yields the events that the request holds. */
const saysModule = `export default async function* (run) {
  for (const event of run.additionalParameters.says) {
    if (event === 'throw') throw new Error('the agent failed');
    yield event;
  }
}`;

test.beforeAll(async () => {
  detector = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => (body += String(text)));
    request.on('end', () => {
      const asked = JSON.parse(body) as { contents: string[] };
      seen.push(asked);
      if (broken) {
        response.writeHead(500).end();
        return;
      }
      response.setHeader('content-type', 'application/json');
      if (odd !== undefined) {
        response.end(odd);
        return;
      }
      response.end(
        JSON.stringify(
          asked.contents.map((text) => {
            const at = Array.from(text).join('').indexOf('sailors');
            const start = Array.from(text.slice(0, at)).length;
            return at < 0
              ? []
              : [
                  {
                    start,
                    end: start + 7,
                    text: 'sailors',
                    detection: 'social_bias',
                    detection_type: 'bias',
                    score: 0.7,
                  },
                ];
          }),
        ),
      );
    });
  });
  await new Promise<void>((resolve) => detector.listen(0, '127.0.0.1', resolve));
  const { port } = detector.address() as AddressInfo; // listening on a port
  detectorAddress = `http://127.0.0.1:${port}/`;
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-agents-'));
  writeFileSync(join(directory, 'says.mjs'), saysModule);
  const agents = [
    { id: 'demo', kind: 'scripted' },
    { id: 'echo', kind: 'echo' },
    { id: 'says', kind: 'module', module: './says.mjs' },
  ];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  running = await startService({
    agentsFile: join(directory, 'agents.json'),
    socialBiasDetectorUrl: detectorAddress,
  });
});
test.afterAll(async () => {
  await running.close();
  detector.close();
  rmSync(directory, { recursive: true });
});
test.beforeEach(() => {
  seen = [];
  broken = false;
  odd = undefined;
});

const pace = { additional_parameters: { delay_ms: 0, chunk_length: 3 } };
const echo = (text: string, guardrails: Guardrails) =>
  collect(running.client().runStream(say(text, { agent_id: 'echo', guardrails, ...pace })));
const failure = (events: readonly RunEvent[]) => events.find((event) => event.event === 'run.failed')?.data;
const on = (threshold?: number) => ({ enabled: true, ...(threshold === undefined ? {} : { threshold }) });
const mask = { remove_entity_value: true };

for (const [kind, text, masked] of [
  ['a mail address', 'Write to ada@example.com please.', 'Write to [EMAIL] please.'],
  ['a telephone number', 'Call +44 20 7946 0958 now.', 'Call [PHONE] now.'],
  ['a card', 'It is 4111 1111 1111 1111, thanks.', 'It is [CARD], thanks.'],
  ['an IBAN', 'Pay to GB82 WEST 1234 5698 7654 32 today.', 'Pay to [IBAN] today.'],
] as const) {
  test(`${kind} in an answer is masked wherever the pieces break`, async () => {
    const events = await echo(text, { pii: { output: on(), mask } });
    expect(spelled(events)).toBe(masked);
    expect(JSON.stringify(events.find((event) => event.event === 'message.created')?.data)).toContain(masked);
    expect(events.at(-1)?.event).toBe('done');
  });
}

for (const [text, masked] of [
  ['Write to jürgen.groß@example.com now', 'Write to [EMAIL] now'],
  ['Write to info@müller.de now', 'Write to [EMAIL] now'],
  ['Пишите тест@пример.рф сегодня', 'Пишите [EMAIL] сегодня'],
  ['IBAN DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000 today', 'IBAN [IBAN] today'],
  ['IBAN DE89-3704-0044-0532-0130-00 today', 'IBAN [IBAN] today'],
  ['Card 4111\u202f1111\u202f1111\u202f1111 here', 'Card [CARD] here'],
  ['Card 4111–1111–1111–1111 here', 'Card [CARD] here'],
  ['Card ４１１１１１１１１１１１１１１１ here', 'Card [CARD] here'],
  ['بطاقة ٤١١١١١١١١١١١١١١١ هنا', 'بطاقة [CARD] هنا'],
  ['Call 0049 30 901820 now', 'Call [PHONE] now'],
] as const) {
  test(`personal data is found as people write it: ${text}`, async () => {
    expect(spelled(await echo(text, { pii: { output: on(), mask } }))).toBe(masked);
  });
}

test('numbers that do not add up are no cards and no accounts', async () => {
  const text = 'Invoice 4111 1111 1111 1112 and GB82 WEST 1234 5698 7654 33.';
  expect(
    (await detectPii(text, AbortSignal.timeout(1000))).filter((one) => ['CARD', 'IBAN'].includes(one.kind)),
  ).toEqual([]);
});

test('everybody else goes on while a long text full of digits is searched; a number is found wherever it stands', async () => {
  const { signal } = new AbortController();
  let turns = 0;
  let done = false;
  const searched = detectPii('1 '.repeat(8_000), signal).then(() => (done = true));
  const count = (): unknown => !done && (turns += 1) && setImmediate(count);
  setImmediate(count);
  await searched;
  expect(turns).toBeGreaterThan(10);

  const number = '+1 212 555 0123';
  for (const place of [0, 839, 840, 905, 913, 919, 920, 921, 999, 1_000, 1_760, 1_845]) {
    const text = `${'a '.repeat(1_000).slice(0, place)} ${number} ${'b '.repeat(1_000)}`;
    const found = await detectPii(text, signal);
    expect(found.map(({ start, end, kind }) => [text.slice(start, end), kind])).toEqual([[number, 'PHONE']]);
  }
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(detectPii('1 '.repeat(8_000), gone)).rejects.toThrow('gone');
});

test('without a mask the run fails, nothing of the sentence is sent, what was before is', async () => {
  const events = await echo('All is well. Write to ada@example.com please. Bye.', { pii: { output: on() } });
  expect(spelled(events)).toBe('All is well.');
  expect(failure(events)).toMatchObject({ reason: 'guardrail', guardrail: 'pii', side: 'output' });
  expect(JSON.stringify(events)).not.toContain('ada@');
});

test('an answer is streamed sentence by sentence, not at its end', async () => {
  const events = await echo('One. Two! Three? Four.\nFive', { pii: { output: on() } });
  expect(events.filter((event) => event.event === 'message.delta').length).toBeGreaterThanOrEqual(4);
  expect(spelled(events)).toBe('One. Two! Three? Four.\nFive');
});

test('personal data in the question is masked before the agent reads it, or stops the run', async () => {
  const masked = await echo('I am ada@example.com.', { pii: { input: on(), mask } });
  expect(spelled(masked)).toBe('I am [EMAIL].');
  const stopped = await echo('I am ada@example.com.', { pii: { input: on() } });
  expect(failure(stopped)).toMatchObject({ reason: 'guardrail', guardrail: 'pii', side: 'input' });
  expect(stopped.map((event) => event.event)).toEqual(['run.started', 'run.failed', 'done']);
});

test('earlier turns are masked for the agent too', async () => {
  const client = running.client('historian');
  const first = await collect(client.runStream(say('I am ada@example.com.', { agent_id: 'echo', ...pace })));
  const thread_id = String(first[0]?.data['thread_id']);
  const guardrails = { pii: { input: on(), mask } };
  const told = spelled(
    await collect(client.runStream(say('/history', { agent_id: 'demo', thread_id, guardrails, ...pace }))),
  );
  expect(told).toContain('[EMAIL]');
  expect(told).not.toContain('ada@');
});

for (const [name, guardrails] of [
  ['with the same guardrails', { pii: { input: on() } }],
  ['with others', { hap: { input: on() } }],
  ['with none', {}],
] as const) {
  test(`a message that was stopped stays out of later turns ${name}`, async () => {
    const client = running.client(`stopped ${name}`);
    const ask = async (text: string, more: object) =>
      collect(client.runStream(say(text, { agent_id: 'demo', ...pace, ...more })));
    const first = await ask('I am ada@example.com.', { guardrails: { pii: { input: on() } } });
    expect(first.at(-2)?.event).toBe('run.failed');
    const thread_id = String(first[0]?.data['thread_id']);
    await ask('Hello again.', { thread_id, guardrails });
    const told = spelled(await ask('/history', { thread_id, guardrails }));
    expect(told).toContain('Hello again.');
    expect(told).not.toContain('ada@');
    const messages = await client.extensions.listMessages(thread_id);
    expect(JSON.stringify(messages)).toContain('ada@');
  });
}

test('what a guardrail of this run stops is not in its history, though it was passed on before', async () => {
  const client = running.client('passed');
  const first = await collect(client.runStream(say('I am ada@example.com.', { agent_id: 'echo', ...pace })));
  const thread_id = String(first[0]?.data['thread_id']);
  const guardrails = { pii: { input: on() } };
  const request = say('/history', { agent_id: 'demo', thread_id, guardrails, ...pace });
  const events = await collect(client.runStream(request));
  expect(events.at(-2)?.event).toBe('run.completed');
  expect(spelled(events)).not.toContain('ada@');
});

test('a stopped message that is said again in other words with its old state is in the history', async () => {
  const client = running.client('again');
  const stopped = await collect(
    client.runStream(
      say('I am ada@example.com.', { agent_id: 'echo', guardrails: { pii: { input: on() } } }),
    ),
  );
  const thread_id = String(stopped[0]?.data['thread_id']);
  const messages = await client.extensions.listMessages(thread_id);
  const message = { content: 'I am Ada.', message_state: messages[0]?.message_state ?? null };
  expect(message.message_state).not.toBeNull();
  await collect(client.runStream({ message, agent_id: 'echo', thread_id, ...pace }));
  const told = spelled(
    await collect(client.runStream(say('/history', { agent_id: 'demo', thread_id, ...pace }))),
  );
  expect(told).toContain('I am Ada.');
});

test('the threshold decides', async () => {
  const national = 'Call (415) 555-2671 now.';
  expect(spelled(await echo(national, { pii: { output: on(0.5), mask } }))).toBe('Call [PHONE] now.');
  expect(spelled(await echo(national, { pii: { output: on(0.9), mask } }))).toBe(national);
});

test('abusive words are found in odd spellings and removed', async () => {
  expect((await detectHap('what the fuuuck is this', AbortSignal.timeout(1000))).length).toBeGreaterThan(0);
  expect(spelled(await echo('This is sh1t really.', { hap: { output: on(), mask } }))).toContain('[REMOVED]');
  const events = await echo('This is shit.', { hap: { input: on() } });
  expect(failure(events)).toMatchObject({ guardrail: 'hap', side: 'input' });
});

test('a detector behind an address is asked, its places counted in characters', async () => {
  const events = await echo('⛵⛵ All sailors lie. Yes.', { social_bias: { output: on(0.6), mask } });
  expect(spelled(events)).toBe('⛵⛵ All [REMOVED] lie. Yes.');
  expect(seen.length).toBeGreaterThan(0);
  expect(spelled(await echo('All sailors lie.', { social_bias: { output: on(0.8) } }))).toBe(
    'All sailors lie.',
  );
});

test('a detector that fails ends the run: nothing goes out unchecked', async () => {
  broken = true;
  const stops = async () =>
    (await (await fetch(`${running.address}/metrics`)).text()).match(
      /^agent_chat_guardrail_stops_total.*$/gm,
    );
  const before = await stops();
  const events = await echo('All sailors lie.', { social_bias: { output: on() } });
  expect(spelled(events)).toBe('');
  expect(failure(events)).toMatchObject({
    reason: 'detector_failed', // not `guardrail`: the visitor may retry
    guardrail: 'social_bias',
    error: { code: 'detector_failed' },
  });
  expect(await stops()).toEqual(before); // no finding
});

for (const answer of [
  '[]',
  '[[],[]]',
  '{}',
  '[{}]',
  '[[{"start":9,"end":3}]]',
  '[[{"start":3,"end":3}]]',
  '[[{"start":-1,"end":3}]]',
  '[[{"start":0,"end":99}]]',
  '[[{"start":"0","end":3}]]',
  'All sailors lie.',
]) {
  test(`a detector that answers ${answer} ends the run, with a cause that quotes nothing`, async () => {
    odd = answer;
    const detect = detectByUrl(detectorAddress);
    const words = await detect('All sailors lie.', AbortSignal.timeout(5_000)).catch(String);
    expect(words).toMatch(/^Error: the detector (answered|returned)/);
    expect(words).not.toContain('sailors');
    for (const side of ['input', 'output'] as const) {
      const events = await echo('All sailors lie.', { social_bias: { [side]: on(), mask } });
      expect(spelled(events)).toBe('');
      expect(failure(events)).toMatchObject({ side, error: { code: 'detector_failed' } });
    }
  });
}

test('a detector that sends the words elsewhere is not followed', async () => {
  const elsewhere = `${detectorAddress}/elsewhere`;
  const moved = createServer((_request, response) => response.writeHead(307, { location: elsewhere }).end());
  await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
  const { port } = moved.address() as AddressInfo; // listening on a port
  try {
    const detect = detectByUrl(`http://127.0.0.1:${port}/`);
    await expect(detect('All sailors lie.', AbortSignal.timeout(5_000))).rejects.toThrow('fetch failed');
    expect(seen).toEqual([]);
  } finally {
    moved.close();
  }
});

test('a guardrail without a detector fails the run before the agent is asked', async () => {
  const bare = await startService();
  try {
    for (const side of ['input', 'output'] as const) {
      const guardrails = { social_bias: { [side]: on() } };
      const events = await collect(
        bare.client().runStream(say('hello', { agent_id: 'echo', guardrails, ...pace })),
      );
      expect(events.map((event) => event.event)).toEqual(['run.started', 'run.failed', 'done']);
      expect(failure(events)).toMatchObject({ reason: 'no_detector', guardrail: 'social_bias', side });
    }
    const off = { social_bias: { input: { enabled: false }, output: { enabled: null } }, pii: null };
    expect(
      spelled(
        await collect(bare.client().runStream(say('hello', { agent_id: 'echo', guardrails: off, ...pace }))),
      ),
    ).toBe('hello');
  } finally {
    await bare.close();
  }
});

test('tool results, reasoning and items are checked too', async () => {
  const guardrails = { pii: { output: on(), mask } };
  const request = say('/personal', { agent_id: 'demo', guardrails, ...pace });
  const events = await collect(running.client().runStream(request));
  const text = JSON.stringify(events);
  for (const entity of ['ada@', '7946', '4111', 'GB82']) expect(text).not.toContain(entity);
  const form = await collect(
    running.client().runStream({
      ...request,
      message: { content: [{ response_type: 'card', body: [{ text: 'ada@example.com' }] }] },
      agent_id: 'echo',
    }),
  );
  expect(JSON.stringify(form)).not.toContain('ada@');
});

for (const name of ['email', 'email_id', 'tax_id', 'type', 'status', 'key', 'source', 'id']) {
  test(`a form field named "${name}" is checked on its way to the agent and back`, async () => {
    const form_data = { [name]: '4111111111111111', deep: [{ [name]: 'ada@example.com' }] };
    const form = { response_type: 'form_operation', id: 'f', form_operation: 'submit', form_data };
    const input = await collect(
      running.client().runStream({
        message: { content: [form] },
        agent_id: 'echo',
        guardrails: { pii: { input: on(), mask } },
        ...pace,
      }),
    );
    expect(JSON.stringify(input)).not.toMatch(/4111111|ada@/);
    expect(JSON.stringify(input)).toContain('"form_operation":"submit"');
    const shown = { response_type: 'user_defined', user_defined: form_data };
    const { told } = await says([items(shown)], { pii: { output: on(), mask } });
    expect(JSON.stringify(told)).not.toMatch(/4111111|ada@/);
  });
}

test('what programs read is left as it is, and nothing else', async () => {
  const id = '4111111111111111';
  const image = { id, response_type: 'image', source: `https://example.com/${id}.png` };
  const option = { id: 'o', response_type: 'option', source: id, user_id: id };
  const figures = {
    id: 'f',
    response_type: 'user_defined',
    user_defined: { count: 3, open: true, none: null },
  };
  const { told } = await says([items(image, figures), items(option)], { pii: { output: on(), mask } });
  const created = told.find((event) => event.event === 'message.created')?.data['message'];
  expect(created).toMatchObject({
    content: [image, figures, { id: 'o', source: '[CARD]', user_id: '[CARD]' }],
  });
  const deltas = told.filter((event) => event.event === 'message.delta').map((event) => event.data['delta']);
  expect(deltas.slice(0, 2)).toMatchObject([{ content: [image] }, { content: [figures] }]);
});

const thinks = (data: object) => ({ event: 'run.step.thinking', data });
const items = (...content: object[]) => ({ event: 'message.delta', data: { delta: { content } } });
const joined: readonly (readonly [string, readonly unknown[]])[] = [
  [
    'of several items at once',
    [
      items({ id: '1', text: 'joe@exa' }, { id: '2', text: 'x' }),
      items({ id: '1', text: 'mple.com' }, { id: '2', text: 'y' }),
    ],
  ],
  [
    'in items without ids',
    [items({ text: 'x' }, { text: 'joe@exa' }), items({ text: 'y' }, { text: 'mple.com' })],
  ],
  [
    'as text with a value',
    [items({ id: '1', text: { value: 'joe@exa' } }), items({ id: '1', text: { value: 'mple.com' } })],
  ],
  ['around an event of another kind', ['joe@exa', { event: 'summary', data: {} }, 'mple.com']],
  [
    'around another item',
    ['joe@exa', items({ id: 'i', response_type: 'image', source: 'a.png' }), 'mple.com'],
  ],
  ['around reasoning', ['joe@exa', thinks({ thinking: 'hm' }), 'mple.com']],
  ['of reasoning around text', [thinks({ thinking: 'joe@exa' }), 'ok', thinks({ thinking: 'mple.com' })]],
  ['of reasoning under content', [thinks({ content: 'joe@exa' }), thinks({ content: 'mple.com' }), 'ok']],
  [
    'of a status line',
    [
      thinks({ message: { key: 'k', text: 'joe@exa' } }),
      thinks({ message: { key: 'k', text: 'mple.com' } }),
      'ok',
    ],
  ],
  [
    'of reasoning beside a status line',
    ['joe@exa', 'mple.com'].map((text) => thinks({ thinking: text, message: { text } })),
  ],
  [
    'of reasoning among step details',
    ['joe@exa', 'mple.com'].map((text) => thinks({ delta: { step_details: [{ type: 'thinking', text }] } })),
  ],
  [
    'around a cut in a long sentence',
    [`${'word '.repeat(205)}4111 1111`, ` 1111 1111 ${'word '.repeat(80)}`],
  ],
];
const says = async (events: readonly unknown[], guardrails: Guardrails) => {
  const client = running.client('listener');
  const request = say('Go on.', { agent_id: 'says', guardrails, additional_parameters: { says: events } });
  const told = await collect(client.runStream(request));
  const kept = await client.extensions.listMessages(String(told[0]?.data['thread_id']));
  return { told, all: JSON.stringify([told, kept.filter((message) => message.role !== 'user')]) };
};
/** Parts of the entities; ids of runs and events may have such digits too. */
const half = /joe@|mple\.com|(?<![\da-f-])(?:4111|1111)(?![\da-f])/;

for (const [where, events] of joined) {
  test(`what only pieces make together is found ${where}`, async () => {
    const masked = await says(events, { pii: { output: on(), mask } });
    expect(masked.told.at(-2)?.event).toBe('run.completed');
    expect(masked.all).toMatch(/\[EMAIL\]|\[CARD\]/);
    expect(masked.all).not.toMatch(half);
    const stopped = await says(events, { pii: { output: on() } });
    expect(failure(stopped.told)).toMatchObject({ guardrail: 'pii', side: 'output' });
    expect(stopped.all).not.toMatch(half);
  });
}

test('what is composed at the end is checked as well, and a partial answer too', async () => {
  const pieces = ['joe@exa', { event: 'message.interrupt', data: {} }, 'mple.com'];
  const kept = async (events: readonly unknown[], guardrails: Guardrails) => {
    const { told } = await says(events, guardrails);
    const messages = await running
      .client('listener')
      .extensions.listMessages(String(told[0]?.data['thread_id']));
    return JSON.stringify(messages.slice(1).map((message) => message.content));
  };
  expect(await kept(pieces, { pii: { output: on(), mask } })).toContain('[EMAIL]');
  expect(await kept(pieces, { pii: { output: on() } })).toBe('[]');
  expect(await kept([...pieces, 'throw'], { pii: { output: on(), mask } })).toContain('[EMAIL]');
  expect(await kept([...pieces, 'throw'], { pii: { output: on() } })).toBe('[]');
});

test('an answer that is checked keeps its order, its items and what came before a failure', async () => {
  const image = { id: 'i', response_type: 'image', source: 'a.png' };
  const { told } = await says(['See', items(image), ' this'], { pii: { output: on() } });
  const created = told.find((event) => event.event === 'message.created')?.data['message'];
  expect(created).toMatchObject({ content: [{ id: '1', text: 'See this' }, image] });
  const failed = await says(['High wa', 'throw'], { pii: { output: on() } });
  expect(spelled(failed.told)).toBe('High wa');
  expect(failed.told.at(-2)?.event).toBe('run.failed');
});

test('held text comes out whole and in order, whatever the pieces', () => {
  const pieces = fastCheck.array(fastCheck.string({ maxLength: 400 }), { maxLength: 30 });
  fastCheck.assert(
    fastCheck.property(pieces, (given) => {
      const held = new SentenceBuffer();
      let out = '';
      for (const piece of given) out += held.add(piece);
      expect(out + held.rest()).toBe(given.join(''));
    }),
  );
});
