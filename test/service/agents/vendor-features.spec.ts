import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { ContentItem, RunEvent } from '../../../src/protocol/index.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';
import { answerWith, startFakeUpstream, type FakeUpstream } from './upstreams/fake-upstream.ts';
import { callsIn, failure, kinds, resultsIn, thoughtsIn } from './upstreams/run-events.ts';
import { block, named, wires, type Wire } from './upstreams/wires.ts';

/* What vendors have besides text: their own tools, citations, and reasoning that goes on after a tool call. */

type Fields = Readonly<Record<string, unknown>>;

const harbour = fileURLToPath(new URL('../../../demo/agents/harbour.mjs', import.meta.url));
const upstreams = new Map<string, FakeUpstream>();
let running: RunningService;
let directory: string;

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-vendors-'));
  process.env['TEST_UPSTREAM_KEY'] = 'key-of-the-test';
  const berths = { name: 'berths', command: process.execPath, args: [harbour, '5'], approve: 'never' };
  const agents = [];
  for (const kind of ['anthropic', 'responses']) {
    const upstream = await startFakeUpstream('text/event-stream');
    upstreams.set(kind, upstream);
    const entry = { kind, ...wireOf(kind).entry(upstream.address) };
    const tools = { mcp_servers: [berths], show_tool_details: true };
    agents.push({ id: kind, ...entry }, { id: `${kind}-tools`, ...entry, tools });
  }
  const [claude] = agents;
  const asking = { mcp_servers: [{ ...berths, approve: 'always' }] };
  const adaptive = { ...claude, id: 'adaptive', tools: asking };
  const budget = { ...claude, id: 'budget', tools: asking };
  agents.forEach((agent) =>
    Object.assign(agent, { extra_body: { tools: [{ type: 'web_search', name: 'web_search' }] } }),
  );
  agents.push(
    Object.assign(adaptive, { extra_body: { thinking: { type: 'adaptive' } } }),
    Object.assign(budget, { extra_body: { thinking: { type: 'enabled', budget_tokens: 1024 } } }),
  );
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
});
test.afterAll(async () => {
  await running.close();
  for (const upstream of upstreams.values()) await upstream.stop();
  rmSync(directory, { recursive: true });
});

function wireOf(kind: string): Wire {
  const wire = wires.find((one) => one.kind === kind);
  if (!wire) throw new Error('no such wire');
  return wire;
}

function upstreamOf(kind: string): FakeUpstream {
  const upstream = upstreams.get(kind);
  if (!upstream) throw new Error('not started');
  return upstream;
}

const ask = (agent: string): Promise<RunEvent[]> =>
  collect(running.client().runStream(say('When is high water?', { agent_id: agent })));

function itemIn(events: readonly RunEvent[]): ContentItem | undefined {
  const message = events.find(({ event }) => event === 'message.created')?.data['message'];
  return (message as { content: ContentItem[] }).content[0];
}

const source = 'https://tides.example/grey-quay';

/** What the metrics say of an agent's tokens so far. */
async function tokensOf(agent: string): Promise<Record<'input' | 'output', number>> {
  const metrics = await (await fetch(`${running.address}/metrics`)).text();
  const count = (direction: string): number =>
    Number(
      new RegExp(`tokens_total{agent="${agent}",.*direction="${direction}"} (\\d+)`).exec(metrics)?.[1] ?? 0,
    );
  return { input: count('input'), output: count('output') };
}

for (const kind of ['anthropic', 'responses']) {
  test(`tokens are estimated for an answer of the kind ${kind} that is cut short`, async () => {
    const wire = wireOf(kind);
    const before = await tokensOf(kind);
    answerWith(upstreamOf(kind), wire.start() + wire.text('x'.repeat(400)));
    expect(failure(await ask(kind))).toMatchObject({ reason: 'upstream_broke_off' });
    const { input, output } = await tokensOf(kind);
    expect(output - before.output).toBe(100);
    expect(input - before.input).toBeGreaterThan(0);
  });
}

test.describe('anthropic', () => {
  const wire = wireOf('anthropic');
  const found = [
    { type: 'web_search_result', title: 'Tide table', url: source, encrypted_content: 'sealed' },
  ];
  const search =
    block(0, { type: 'server_tool_use', id: 'st1', name: 'web_search', input: {} }, [
      { type: 'input_json_delta', partial_json: '{"query":"tides"}' },
    ]) + block(1, { type: 'web_search_tool_result', tool_use_id: 'st1', content: found }, []);
  const cited = (index: number): string =>
    block(index, { type: 'text', text: '' }, [
      { type: 'text_delta', text: 'High water is at six.' },
      {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          title: 'Tide table',
          url: source,
          cited_text: 'HW 18:00',
        },
      },
    ]);

  test('its own search is a step, and what it cites is a source of a passage', async () => {
    const said = block(2, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'I looked. ' }]);
    answerWith(upstreamOf('anthropic'), wire.start() + search + said + cited(3) + wire.end());
    const events = await ask('anthropic-tools');
    expect(callsIn(events)).toMatchObject([{ id: 'st1', name: 'web_search', args: { query: 'tides' } }]);
    expect(resultsIn(events)).toEqual([{ id: 'st1', content: `Tide table ${source}` }]);
    expect(itemIn(events)).toMatchObject({
      response_type: 'conversational_search',
      text: 'I looked. High water is at six.',
      citations: [{ title: 'Tide table', url: source, text: 'HW 18:00', ranges: [{ start: 10, end: 31 }] }],
    });
  });

  test('what its search and its cache take counts as input', async () => {
    const before = await tokensOf('anthropic');
    const usage = { input_tokens: 40, cache_read_input_tokens: 100, output_tokens: 9 };
    const end =
      named({ type: 'message_delta', ...{ delta: { stop_reason: 'end_turn' }, usage } }) +
      named({ type: 'message_stop' });
    answerWith(upstreamOf('anthropic'), wire.start() + search + cited(2) + end);
    await ask('anthropic');
    expect(await tokensOf('anthropic')).toEqual({ input: before.input + 140, output: before.output + 9 });
  });

  test('a search that fails is a failed step, and the answer goes on', async () => {
    const failed = { type: 'web_search_tool_result_error', error_code: 'unavailable' };
    const broken =
      block(0, { type: 'server_tool_use', id: 'st1', name: 'web_search', input: {} }, []) +
      block(1, { type: 'web_search_tool_result', tool_use_id: 'st1', content: failed }, []);
    answerWith(upstreamOf('anthropic'), wire.start() + broken + wire.text('I do not know.') + wire.end());
    const events = await ask('anthropic');
    expect(kinds(events)).toContain('run.step.failed');
    expect(spelled(events)).toBe('I do not know.');
    expect(events.at(-1)?.event).toBe('done');
  });

  test('a paused answer goes on with its own blocks', async () => {
    const pause =
      named({ type: 'message_delta', ...{ delta: { stop_reason: 'pause_turn' } } }) +
      named({ type: 'message_stop' });
    const requests = answerWith(
      upstreamOf('anthropic'),
      wire.start() + search + block(2, { type: 'text', text: '' }, []) + cited(3) + pause,
      wire.start() + wire.text(' Or at seven.') + wire.end(),
    );
    expect(spelled(await ask('anthropic'))).toContain('High water is at six. Or at seven.');
    expect((requests[1]?.body['messages'] as Fields[]).at(-1)).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'st1', input: { query: 'tides' } },
        { type: 'web_search_tool_result', tool_use_id: 'st1', content: found },
        { type: 'text', text: 'High water is at six.', citations: [{ url: source, cited_text: 'HW 18:00' }] },
      ],
    });
  });

  test('an answer with calls goes back as it came: models check the order of their thinking', async () => {
    const thought = (index: number, words: string): string =>
      wire.thought(words).replaceAll('"index":0', `"index":${index}`);
    const say = block(1, { type: 'text', text: '' }, [{ type: 'text_delta', text: ' Let me look. ' }]);
    const call = { type: 'tool_use', id: 'toolu_1', name: 'find_berth', input: { length: 9 } };
    const requests = answerWith(
      upstreamOf('anthropic'),
      wire.start() + thought(0, 'First.') + say + thought(2, 'Then.') + block(3, call, []) + wire.end(true),
      wire.start() + wire.text('A4.') + wire.end(),
    );
    const events = await ask('anthropic-tools');
    expect(thoughtsIn(events)).toBe('First.\n\nThen.');
    expect((requests[1]?.body['messages'] as Fields[])[1]?.['content']).toMatchObject([
      { type: 'thinking', thinking: 'First.', signature: 'signed' },
      { type: 'text', text: ' Let me look. ' },
      { type: 'thinking', thinking: 'Then.', signature: 'signed' },
      { type: 'tool_use', name: 'find_berth', input: { length: 9 } },
    ]);
  });

  for (const [agent, thinking] of [
    ['adaptive', { type: 'adaptive' }],
    ['budget', { type: 'disabled' }],
  ] as const)
    test(`after a decision, thinking is off only where calls need the thoughts before them: ${agent}`, async () => {
      const calls = wire.calls([{ id: 'toolu_1', name: 'find_berth', args: { length: 9 } }]);
      const requests = answerWith(
        upstreamOf('anthropic'),
        wire.start() + wire.thought('Which?') + calls + wire.end(true),
        wire.start() + wire.text('A4.') + wire.end(),
      );
      const events = await ask(agent);
      const asked = events.findLast(({ event }) => event === 'message.created')?.data ?? {};
      const [item] = (asked['message'] as { content: ContentItem[] }).content;
      const content = [
        { ...item, response_type: 'form_operation', form_operation: 'submit' },
      ] as ContentItem[];
      const answer = { role: 'user', content, parent_message_id: asked['message_id'] as string } as const;
      const thread_id = asked['thread_id'] as string;
      expect(
        spelled(await collect(running.client().runStream({ agent_id: agent, thread_id, message: answer }))),
      ).toBe('A4.');
      expect(requests[1]?.body['thinking']).toEqual(thinking);
    });

  test('thinking with a budget is off while a decision is open, and on again in the turn after', async () => {
    const calls = wire.calls([{ id: 'toolu_1', name: 'find_berth', args: { length: 9 } }]);
    const said = wire.start() + wire.text('Yes.') + wire.end();
    const requests = answerWith(
      upstreamOf('anthropic'),
      wire.start() + wire.thought('Which?') + calls + wire.end(true),
      said,
      said,
    );
    const [first] = await ask('budget');
    const next = () => say('And now?', { agent_id: 'budget', thread_id: first?.data['thread_id'] as string });
    await collect(running.client().runStream(next()));
    await collect(running.client().runStream(next()));
    const types = requests.map(({ body }) => (body['thinking'] as Fields)['type']);
    expect(types).toEqual(['enabled', 'disabled', 'enabled']);
  });

  test('thinking goes back, signed and before the calls, when a tool has answered', async () => {
    const calls = wire.calls([{ id: 'toolu_1', name: 'find_berth', args: { length: 9 } }]);
    const requests = answerWith(
      upstreamOf('anthropic'),
      wire.start() + wire.thought('Which are long enough?') + calls + wire.end(true),
      wire.start() + wire.text('A4.') + wire.end(),
    );
    const events = await ask('anthropic-tools');
    expect([thoughtsIn(events), spelled(events)]).toEqual(['Which are long enough?', 'A4.']);
    const sent = requests[1]?.body['messages'] as { role: string; content: Fields[] }[];
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(sent[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'Which are long enough?', signature: 'signed' },
      { type: 'tool_use', name: 'find_berth', input: { length: 9 } },
    ]);
    expect(sent[2]?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: sent[1]?.content[1]?.['id'] },
    ]);
    expect(JSON.stringify(sent[2])).toContain('A4');
    const tools = requests[0]?.body['tools'] as Fields[];
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['web_search', 'find_berth']));
  });
});

test.describe('responses', () => {
  const wire = wireOf('responses');
  const done = (item: Fields): string =>
    named({ type: 'response.output_item.done', ...{ output_index: 0, item } });
  const search = { type: 'web_search_call', id: 'ws1', status: 'completed', action: { query: 'tides' } };

  test('its own search is a step, and what it cites is a source of a passage', async () => {
    const annotation = {
      type: 'url_citation',
      title: 'Tide table',
      url: source,
      start_index: 0,
      end_index: 21,
    };
    answerWith(
      upstreamOf('responses'),
      wire.start() +
        named({ type: 'response.output_item.added', ...{ output_index: 0, item: search } }) +
        done(search) +
        wire.text('High water is at six.') +
        named({
          type: 'response.output_text.annotation.added',
          ...{ item_id: 'i1', content_index: 0, annotation },
        }) +
        wire.end(),
    );
    const events = await ask('responses-tools');
    expect(callsIn(events)).toMatchObject([{ id: 'ws1', name: 'web_search', args: { query: 'tides' } }]);
    expect(kinds(events)).toContain('run.step.completed');
    expect(itemIn(events)).toMatchObject({
      response_type: 'conversational_search',
      text: 'High water is at six.',
      citations: [{ title: 'Tide table', url: source, ranges: [{ start: 0, end: 21 }] }],
    });
  });

  test('a picture that the vendor makes is shown, also without words; a huge one is left out', async () => {
    const picture = (result: string): string =>
      wire.start() +
      done({
        type: 'image_generation_call',
        id: 'ig1',
        status: 'completed',
        result,
        output_format: 'webp',
        revised_prompt: 'A quay at dawn',
      }) +
      wire.end();
    answerWith(upstreamOf('responses'), picture('UklGRg=='));
    const events = await ask('responses-tools');
    expect(itemIn(events)).toEqual({
      response_type: 'image',
      id: 'ig1',
      source: 'data:image/webp;base64,UklGRg==',
      alt_text: 'A quay at dawn',
    });
    expect(failure(events)).toBeUndefined();
    answerWith(upstreamOf('responses'), picture('A'.repeat(1_600_000)));
    expect(JSON.stringify(await ask('responses-tools')).length).toBeLessThan(100_000);
  });

  test('sealed reasoning goes back before the calls, when a tool has answered', async () => {
    const reasoning = { type: 'reasoning', id: 'rs1', summary: [], encrypted_content: 'sealed' };
    const requests = answerWith(
      upstreamOf('responses'),
      wire.start() +
        wire.thought('Which are long enough?') +
        done(reasoning) +
        wire.calls([{ id: 'call_1', name: 'find_berth', args: { length: 9 } }]) +
        wire.end(),
      wire.start() + wire.text('A4.') + wire.end(),
    );
    const events = await ask('responses-tools');
    expect([thoughtsIn(events), spelled(events)]).toEqual(['Which are long enough?', 'A4.']);
    const input = requests[1]?.body['input'] as Fields[];
    expect(input).toMatchObject([
      { role: 'user' },
      reasoning,
      { type: 'function_call', name: 'find_berth', arguments: '{"length":9}' },
      { type: 'function_call_output', call_id: input[2]?.['call_id'] },
    ]);
    expect(input[3]?.['output']).toContain('A4');
    expect(requests[0]?.body).toMatchObject({ store: false });
  });
});
