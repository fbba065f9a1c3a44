import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sampleItems } from '../../../demo/agents/scripted/items.ts';
import {
  responseTypes,
  runEventKinds,
  type ContentItem,
  type RunEvent,
} from '../../../src/protocol/index.ts';
import { foldToEnd, recordedStreams, shown } from '../../conversation/fold.ts';
import { collect, say, startService, type RunningService } from '../running-service.ts';
import { startFakeUpstream, type FakeUpstream } from './upstreams/fake-upstream.ts';

/*
 * A back end of the kind `http` and a module in the service's process that play the same script give the same events,
 * the same conversation in the client, and the same stored messages.
 */

type Played = Pick<RunEvent, 'event' | 'data'>;

/** One turn: what the visitor sends, and what the agent plays. */
interface Turn {
  readonly content?: readonly ContentItem[];
  readonly events: readonly Played[];
}

const message = (content: readonly ContentItem[]) => ({ role: 'assistant', content });
const items = Object.entries(sampleItems).map(([id, item]) => ({ ...item, id }));
const form = {
  response_type: 'forms',
  id: 'berth',
  name: 'Book a berth',
  json_schema: { type: 'object', properties: { nights: { type: 'integer' } }, required: ['nights'] },
};
const done: Played = { event: 'done', data: {} };
const said = (text: string): readonly Played[] => [
  { event: 'message.delta', data: { delta: { role: 'assistant', content: [{ id: '1', text }] } } },
  done,
];

/** A stream without an event that may end it is cut for a back end; a module has simply ended. */
const cut = 'no-end';
const recorded = recordedStreams()
  .filter(({ name }) => name !== cut)
  .map(({ name, events }) => [`the recorded stream ${name}`, [{ events }]] as const);

const plays: Readonly<Record<string, readonly Turn[]>> = {
  ...Object.fromEntries(recorded),
  'every item in one message': [
    { events: [{ event: 'message.created', data: { message: message(items) } }, done] },
  ],
  'every item by deltas': [
    {
      events: [
        ...items.map((item): Played => ({ event: 'message.delta', data: { delta: message([item]) } })),
        done,
      ],
    },
  ],
  'a form that interrupts, and its answer': [
    { events: [{ event: 'message.interrupt', data: { message: message([form]) } }] },
    {
      content: [
        { response_type: 'form_operation', id: 'berth', form_operation: 'submit', form_data: { nights: 3 } },
      ],
      events: said('Booked for 3 nights.'),
    },
  ],
  'a form that is listened for, and cancelled': [
    { events: [{ event: 'flow.slot.listen', data: { message: message([form]) } }, done] },
    {
      content: [{ response_type: 'form_operation', id: 'berth', form_operation: 'cancel' }],
      events: said('Then not.'),
    },
  ],
  'steps with tools, reasoning, a plan and a summary': [
    {
      events: [
        { event: 'planning', data: { steps: [{ id: 'a', title: 'Look', status: 'active' }] } },
        { event: 'run.step.thinking', data: { thinking: 'Spring tide.' } },
        { event: 'run.step.started', data: { step_id: 's1', name: 'tides' } },
        {
          event: 'run.step.delta',
          data: {
            step_id: 's1',
            delta: {
              role: 'assistant',
              step_details: [
                { type: 'tool_calls', tool_calls: [{ id: 'c1', name: 'tides', args: { port: 1 } }] },
              ],
            },
          },
        },
        { event: 'run.step.failed', data: { step_id: 's1', error: { message: 'no such port' } } },
        { event: 'run.step.intermediate', data: { message: { key: 'k', text: 'Looking again' } } },
        { event: 'transcription', data: { text: 'When is high water?', final: true } },
        { event: 'summary', data: { text: 'About tides.' } },
        { event: 'of.a.later.version', data: { anything: [1] } },
        ...said('At six.'),
      ],
    },
  ],
};

let upstream: FakeUpstream;
let running: RunningService;
let directory: string;
let framing: (event: Played, place: number) => string;

const ndjson = (event: Played): string => `${JSON.stringify(event)}\n`;
const framings: Readonly<Record<string, typeof framing>> = {
  'lines of JSON': ndjson,
  'server-sent events': ({ event, data }, place) =>
    `id: ${place}\r\nevent: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`,
  'data lines with whole events': (event) => `data: ${JSON.stringify(event)}\n\n`,
};

test.beforeAll(async () => {
  upstream = await startFakeUpstream('text/event-stream');
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-equal-'));
  writeFileSync(
    join(directory, 'player.mjs'),
    `const plays = ${JSON.stringify(plays)};
    export default async function* (run) {
      const { play, turn } = run.additionalParameters;
      for (const event of plays[play][turn].events) yield event;
    }`,
  );
  const agents = [
    { id: 'module', kind: 'module', module: 'player.mjs' },
    { id: 'http', kind: 'http', url: upstream.address },
  ];
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
  upstream.answer = async ({ body }, reply) => {
    const { play, turn } = body['additional_parameters'] as { play: string; turn: number };
    const { events = [] } = plays[play]?.[turn] ?? {};
    for (const [place, event] of events.entries()) await reply.raw(framing(event, place));
    reply.close();
  };
});
test.afterAll(async () => {
  await running.close();
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

test('the scripts play every kind of event and every item', () => {
  const events = Object.values(plays).flatMap((turns) => turns.flatMap((turn) => turn.events));
  const kinds = new Set(events.map(({ event }) => event));
  expect(runEventKinds.filter((kind) => !kinds.has(kind))).toEqual([]);
  const types = new Set(items.map(({ response_type: type }) => type));
  const text = JSON.stringify(events);
  expect(responseTypes.filter((type) => !types.has(type) && !text.includes(`"${type}"`))).toEqual([]);
});

for (const [framed, write] of Object.entries(framings))
  for (const name of Object.keys(plays)) {
    if (write !== ndjson && recorded.some(([known]) => known === name)) continue;
    test(`${name}, by ${framed}, is the same as from the module`, async () => {
      framing = write;
      const [fromModule, fromHttp] = [await played('module', name), await played('http', name)];
      expect(fromModule.events.length).toBeGreaterThan(1);
      expect(JSON.stringify(fromModule.stored)).toContain('"role":"user"');
      expect(fromHttp.events).toEqual(fromModule.events);
      expect(fromHttp.conversations).toEqual(fromModule.conversations);
      expect(fromHttp.stored).toEqual(fromModule.stored);
    });
  }

interface Outcome {
  readonly events: readonly unknown[];
  readonly conversations: readonly unknown[];
  readonly stored: unknown;
}

/** Plays all turns of a script with an agent. */
async function played(agent: string, play: string): Promise<Outcome> {
  const client = running.client();
  const events: RunEvent[][] = [];
  for (const [turn, { content }] of (plays[play] ?? []).entries()) {
    const thread = events[0]?.[0]?.data['thread_id'];
    const request = say('Play', {
      agent_id: agent,
      additional_parameters: { play, turn },
      ...(thread === undefined ? {} : { thread_id: String(thread) }),
    });
    const answer =
      content === undefined ? request : { ...request, message: { role: 'user', content: [...content] } };
    events.push(await collect(client.runStream(answer)));
  }
  const threadId = String(events[0]?.[0]?.data['thread_id']);
  const stored = await (await running.request('GET', `/api/v1/hub/threads/${threadId}/messages`)).json();
  const whole = {
    events: events.flat(),
    conversations: events.map((turn) => shown(foldToEnd(turn))),
    stored,
  };
  return JSON.parse(withoutIds(JSON.stringify(whole), agent)) as Outcome;
}

/** Replaces what differs from run to run: ids by their order, times, and the agent's own id. */
function withoutIds(json: string, agent: string): string {
  const ids = new Map<string, string>();
  return json
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id-${ids.size}`);
      return ids.get(id) ?? id;
    })
    .replaceAll(/"\d{13}-\d+"/g, '"event"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(`"${agent}"`, '"agent"');
}
