import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROTOCOL_VERSION } from '@ag-ui/client';
import { expect, test } from '@playwright/test';
import type { RunEvent } from '../../../src/protocol/index.ts';
import { collect, say, spelled, startService, type RunningService } from '../running-service.ts';
import { startFakeUpstream, type FakeUpstream } from './upstreams/fake-upstream.ts';

/*
 * The language-neutral streams of the AG-UI specification (github.com/ag-ui-protocol/ag-ui, the folder
 * `spec/<version>/conformance/streams`, MIT), read by agents of the kind `agui`. They are not part of this repository:
 * AGUI_STREAMS names a folder with their JSON files. Their format is described in the README beside them.
 */

type Fields = Readonly<Record<string, unknown>>;

/** What a stream has to give; an absent member says nothing. */
interface Expected {
  readonly outcome?: 'completed' | 'failed';
  readonly runError?: boolean | string;
  readonly eventTypes?: readonly string[];
  readonly eventTypesAbsent?: readonly string[];
  readonly eventPaths?: Fields;
  readonly eventAbsentPaths?: readonly string[];
  readonly messageCount?: number;
  readonly messages?: Fields[];
  readonly state?: unknown;
  readonly request?: Fields;
  readonly requestAbsentPaths?: readonly string[];
}

interface Fixture {
  readonly name: string;
  readonly stream: readonly Fields[];
  readonly expect: Expected;
  readonly expectOverrides?: { readonly typescript?: Expected };
}

const noOlderPeers =
  'there is no setting for agents of before 1.0, which the library needs to talk down to them';
const textOnly = 'messages of visitors are text: there are no parts of other kinds to send';
const draftRule = 'a rule of the draft after 1.0: the ids in a stream are not used, and agents mix them up';

/**
 * Where a stream is read in another way than it says, with the reason. `warnings` and `noWarnings` are left out of all:
 * the library prints them with parts of the stream, which must not get into a log.
 */
const departures: Readonly<Record<string, readonly [reason: string, instead: Expected]>> = {
  'current-peer-declares-protocol-version': [
    'the version is the library’s',
    { request: { protocolVersion: PROTOCOL_VERSION } },
  ],
  'era-0-0-39-flattens-content': [`${noOlderPeers}; ${textOnly}`, { request: {} }],
  'era-0-0-47-upgrades-binary-content': [textOnly, { request: {} }],
  'era-current-peer-keeps-modern-content': [textOnly, { request: {} }],
  'era-0-0-57-subagent-dropped-with-warning': [noOlderPeers, { eventTypesAbsent: [] }],
  'era-pinned-peer-omits-protocol-version': [noOlderPeers, { requestAbsentPaths: [] }],
  'state-null-snapshot-applies': ['the library leaves a state of null out of requests', { state: undefined }],
  'truncated-run-reported-as-completed': [
    'a gap that the streams admit: for us, as for the specification, a run that is cut has failed',
    { outcome: 'failed' },
  ],
  'run-error-then-new-run-continues': [
    'when an agent itself repeats a failed run, the visitor sees the second',
    { runError: false },
  ],
  'run-finished-wrong-run-id-fatal': [draftRule, { outcome: 'completed' }],
  'run-finished-wrong-thread-id-fatal': [draftRule, { outcome: 'completed' }],
  'second-run-on-another-thread-fatal': [draftRule, { outcome: 'completed' }],
};

/** What the page gets of the events that reach an application. All others change messages or state only. */
const shownAs: Readonly<Record<string, string>> = {
  TEXT_MESSAGE_CONTENT: 'message.delta',
  REASONING_MESSAGE_CONTENT: 'run.step.thinking',
  SUBAGENT_STARTED: 'run.step.started',
  SUBAGENT_FINISHED: 'run.step.completed',
  STATE_SNAPSHOT: 'agui.state_snapshot',
  STATE_DELTA: 'agui.state_delta',
  RAW: 'agui.raw',
  CUSTOM: 'agui.custom',
};
const shownNames = new Set(Object.values(shownAs));

const folder = process.env['AGUI_STREAMS'] ?? '';
const fixtures =
  folder !== '' && existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture)
    : [];

let upstream: FakeUpstream;
let running: RunningService;
let directory: string;

test.beforeAll(async () => {
  test.skip(fixtures.length === 0, 'AGUI_STREAMS names no folder with the streams of the specification');
  upstream = await startFakeUpstream('text/event-stream');
  directory = mkdtempSync(join(tmpdir(), 'agent-chat-agui-streams-'));
  const agent = { id: 'planner', kind: 'agui', url: upstream.address };
  writeFileSync(join(directory, 'agents.json'), JSON.stringify({ agents: [agent] }));
  running = await startService({ agentsFile: join(directory, 'agents.json') });
});
test.afterAll(async () => {
  if (fixtures.length === 0) return;
  await running.close();
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

test('the streams are there', () => {
  const names = new Set(fixtures.map(({ name }) => name));
  expect(names.size).toBeGreaterThan(60);
  const known = Object.keys(departures).filter((name) => !/draft|truncated|wrong|another/.test(name));
  expect(known.filter((name) => !names.has(name))).toEqual([]);
});

for (const fixture of fixtures) {
  const [reason, instead = {}] = departures[fixture.name] ?? [];
  test(`${fixture.name}${reason === undefined ? '' : `, otherwise: ${reason}`}`, async () => {
    const expected = { ...fixture.expect, ...fixture.expectOverrides?.typescript, ...instead };
    const events = await run(fixture.stream, 'When?');
    const [first] = upstream.requests;
    const threadId = String(events[0]?.data['thread_id']);
    const failed = events.find(({ event }) => event === 'run.failed')?.data;
    const hasRunError = expected.runError !== undefined && expected.runError !== false;

    if (expected.outcome === 'failed' || hasRunError) {
      expect(failed?.['reason']).toMatch(/^upstream_(broke_off|no_answer)$/);
      expect(JSON.stringify(events)).not.toContain(String(expected.runError));
    } else expect(failed).toBeUndefined();
    expect(events.at(-1)?.event).toBe(
      events.some(({ event }) => event === 'message.interrupt') ? 'message.interrupt' : 'done',
    );
    checkEvents(events, expected);
    expect(first?.body).toMatchObject(expected.request ?? {});
    for (const path of expected.requestAbsentPaths ?? []) expect(valueAt(first?.body, path)).toBeUndefined();

    // what the agent gets back shows what was kept
    const { messages: sent, state } = await nextRequest(threadId);
    const activities = activitiesIn(events);
    const messages = [
      ...activities,
      ...sent.filter(({ content }) => content !== 'When?' && content !== 'And?'),
    ];
    if (expected.outcome !== 'failed' && expected.messageCount !== undefined)
      expect(messages).toHaveLength(expected.messageCount);
    // a failed run keeps the words, and not the agent's ids
    const withoutIds = (expected.messages ?? []).map(({ id: _id, ...message }) => message);
    if (expected.messages) expect(messages).toMatchObject(failed ? withoutIds : expected.messages);
    if ('state' in expected) expect([state]).toMatchObject([expected.state]);
  });
}

/** Plays a stream. */
async function run(stream: readonly Fields[], text: string): Promise<RunEvent[]> {
  upstream.requests.length = 0;
  upstream.answer = async (_request, reply) => {
    await reply.raw(stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    reply.close();
  };
  return collect(running.client().runStream(say(text)));
}

/** Returns what the agent gets with the next message of the thread. */
async function nextRequest(threadId: string): Promise<{ messages: Fields[]; state: unknown }> {
  const ids = { threadId: 't', runId: 'r' };
  upstream.answer = async (_request, reply) => {
    const events = [
      { type: 'RUN_STARTED', ...ids },
      { type: 'RUN_FINISHED', ...ids },
    ];
    await reply.raw(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    reply.close();
  };
  upstream.requests.length = 0;
  await collect(running.client().runStream(say('And?', { thread_id: threadId })));
  return upstream.requests[0]?.body as { messages: Fields[]; state: unknown };
}

function checkEvents(events: readonly RunEvent[], expected: Expected): void {
  const shown = events.filter(({ event }) => shownNames.has(event));
  const { eventTypes } = expected;
  if (eventTypes) {
    const names = eventTypes.flatMap((type) => shownAs[type] ?? []);
    expect(shown.map(({ event }) => event)).toEqual(names);
  }
  for (const type of expected.eventTypesAbsent ?? []) expect(JSON.stringify(events)).not.toContain(type);
  for (const path of expected.eventAbsentPaths ?? [])
    expect(JSON.stringify(events)).not.toContain(String(path.split('.').at(-1)));
  for (const [path, value] of Object.entries(expected.eventPaths ?? {})) {
    const [index = '', ...rest] = path.split('.');
    const type = eventTypes?.[Number(index)] ?? '';
    if (type === 'RUN_FINISHED') checkOutcome(events, rest.join('.'), value);
    if (!(type in shownAs)) continue;
    const before = (eventTypes ?? []).slice(0, Number(index)).filter((one) => one in shownAs);
    const { data } = shown[before.length] ?? {};
    if (type === 'TEXT_MESSAGE_CONTENT') expect(spelled(events)).toContain(value);
    else expect(valueAt(data, rest.join('.'))).toEqual(value);
  }
}

function checkOutcome(events: readonly RunEvent[], path: string, value: unknown): void {
  const asked = events.find(({ event }) => event === 'message.interrupt')?.data;
  if (path === 'outcome.interrupts.0.id') expect(valueAt(asked, 'message.content.0.id')).toBe(value);
  else if (value === 'interrupt') expect(asked).toBeDefined();
  else expect(events.at(-2)?.event).toBe(`run.${String(value)}`);
}

/** The activities that reached the page, as an AG-UI client would hold them. */
function activitiesIn(events: readonly RunEvent[]): Fields[] {
  const held = new Map<string, Fields>();
  for (const { event, data } of events) {
    if (event !== 'agui.activity') continue;
    const { activity_id: id, activity_type: activityType, content } = data;
    held.set(String(id), { id, role: 'activity', activityType, content });
  }
  return [...held.values()];
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], value);
}
