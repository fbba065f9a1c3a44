import {
  AgentFailure,
  plainTextOf,
  type Agent,
  type AgentEvent,
  type AgentRun,
} from '../../src/service/agents/agent.ts';
import { waitAtPace } from '../../src/service/agents/pace.ts';
import { resultForModel } from '../../src/service/tools/result-for-model.ts';
import type { CallRecord, RequestedCall } from '../../src/service/tools/tool-call.ts';
import type { ModelStep } from '../../src/service/tools/tool-loop.ts';
import type { Toolset } from '../../src/service/tools/toolset.ts';

/** How the harbour office is started. */
export interface HarbourCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
}

/**
 * "Harbour Bookings", an agent of the playground: a script in place of the model, with the tools of the harbour office
 * in the loop that every agent uses.
 */
export function bookingAgent({ command, args, directory }: HarbourCommand): Agent {
  let loading: Promise<Toolset> | undefined;
  const load = async (): Promise<Toolset> => {
    const { Toolset } = await import('../../src/service/tools/toolset.ts');
    return Toolset.open(
      {
        servers: [
          {
            name: 'Harbour office',
            transport: { kind: 'stdio', command, args, env: {}, directory },
            approve: 'writes',
            approveTools: new Map(),
            include: undefined,
            titles: new Map(),
          },
        ],
        pageTools: true,
        maxSteps: 8,
        callTimeoutMs: 60_000,
        resultLimit: 65_536,
        decisionTtlMs: 86_400_000,
        showDetails: true,
      },
      { note: () => undefined, called: () => undefined },
    );
  };
  return {
    usesTools: true,
    close: async () => (await loading)?.close(),
    async *run(run: AgentRun): AsyncGenerator<AgentEvent> {
      const toolset = await (loading ??= load()).catch((cause: unknown) => {
        loading = undefined;
        const message = 'Tools need a library: npm install @modelcontextprotocol/client@2';
        throw new AgentFailure('tools_missing', message, { cause });
      });
      const { runToolLoop } = await import('../../src/service/tools/tool-loop.ts');
      yield* runToolLoop<AgentEvent>({ run, toolset }, (step) => decide(run, step));
    },
  };
}

/** The model's name of the map's function, on pages that have it. */
const mapTool = 'page__highlight_berth';

/** Stands in for the model: the first matching rule decides. */
async function* decide(
  run: AgentRun,
  { calls, tools }: ModelStep,
): AsyncGenerator<string, readonly RequestedCall[]> {
  const words = plainTextOf(run.message);
  const latest = calls.filter(({ runId, resumedRun }) => runId === run.runId || resumedRun === run.runId);
  const last = latest.at(-1);
  const wantsMap = /\bmap\b/i.test(words);
  const hasMap = tools.some(({ name }) => name === mapTool);
  if (!last) {
    const requested = callsFor(words, calls);
    if (wantsMap && !hasMap) yield* speak(run, 'This page has no map. [The berth map](/map.html) does.\n\n');
    else yield* speak(run, requested.length > 0 ? introduction(requested) : help);
    return hasMap ? requested : requested.filter(({ name }) => name !== mapTool);
  }
  if (last.name === 'find_berth' && last.state === 'done' && wantsMap && hasMap) {
    yield* speak(run, tell(last));
    const [first] = JSON.parse(last.result ?? '[]') as { berth: string }[]; // the office's answer
    return first ? [{ name: mapTool, args: { berth: first.berth } }] : [];
  }
  if (last.name === 'find_berth' && last.state === 'done' && /\bbook\b/i.test(words)) {
    const [first] = JSON.parse(last.result ?? '[]') as { berth: string; price: number }[]; // the office's answer
    if (first) {
      yield* speak(run, `Berth **${first.berth}** is free for ${first.price} € a night.`);
      return [
        { name: 'book_berth', args: { berth: first.berth, boat: boatIn(words), nights: nightsIn(words) } },
      ];
    }
  }
  yield* speak(
    run,
    latest
      .filter((call) => call.round === last.round)
      .map(tell)
      .join('\n\n'),
  );
  return [];
}

function callsFor(words: string, calls: readonly CallRecord[]): RequestedCall[] {
  const requested: RequestedCall[] = [];
  if (/\bpilot\b/i.test(words)) requested.push({ name: 'order_pilot', args: {} });
  const berth = berthIn(words);
  if (/\bmap\b/i.test(words) && berth !== undefined) requested.push({ name: mapTool, args: { berth } });
  if (/\b(depth|sound|deep)\b/i.test(words))
    requested.push({ name: 'sound_depth', args: { berth: berth ?? 'A4' } });
  if (/\bcancel\b/i.test(words)) {
    const known = calls.map(({ result }) => /HB-\d+/.exec(result ?? '')?.[0]).findLast(Boolean);
    requested.push({
      name: 'cancel_booking',
      args: { booking: /HB-\d+/.exec(words)?.[0] ?? known ?? 'HB-1001' },
    });
  }
  if (/\bbook\b/i.test(words) && berth !== undefined)
    requested.push({ name: 'book_berth', args: { berth, boat: boatIn(words), nights: nightsIn(words) } });
  else if (/\b(book|find|free|berth)\b/i.test(words) && requested.length === 0)
    requested.push({
      name: 'find_berth',
      args: { length: Number(/(\d+(\.\d+)?) ?m\b/.exec(words)?.[1] ?? 9) },
    });
  return requested;
}

const berthIn = (words: string): string | undefined => /\b(A1|A4|B2|C7)\b/.exec(words)?.[0];
const boatIn = (words: string): string => /\bthe ([A-Z][\w-]*)/.exec(words)?.[1] ?? 'Petrel';
const nightsIn = (words: string): number => Number(/(\d+) nights?/.exec(words)?.[1] ?? 2);

function introduction(requested: readonly RequestedCall[]): string {
  const names = requested.map(({ name }) => name);
  if (names.includes('book_berth') || names.includes('cancel_booking'))
    return 'I have prepared this. Please check it: nothing happens before you approve.';
  if (names.includes(mapTool)) return 'I would like to show you this berth.';
  return names.includes('sound_depth') ? 'I am asking for a sounding.' : 'I am asking the harbour office.';
}

function tell(call: CallRecord): string {
  const result = call.result ?? '';
  if (call.name === mapTool) {
    if (call.state === 'done') return 'There it is, on the map.';
    return call.state === 'unknown'
      ? 'I do not know whether the map shows it: the page was left, or took too long.'
      : 'I did not show it on the map.';
  }
  if (call.state === 'declined')
    return `**${call.title}**: not done, as you wished.${call.reason === undefined ? '' : ` I noted: “${call.reason}”`}`;
  if (call.state !== 'done') return `**${call.title}**: ${resultForModel(call)}`;
  if (call.name === 'book_berth') {
    const booked = JSON.parse(result) as { booking: string; berth: string; boat: string; price: number };
    return `Booked: berth **${booked.berth}** for the *${booked.boat}*, ${booked.price} € in all. Your number is **${booked.booking}**.`;
  }
  if (call.name !== 'find_berth') return result;
  const free = JSON.parse(result) as { berth: string; length: number; price: number }[];
  const rows = free.map(({ berth, length, price }) => `| ${berth} | ${length} m | ${price} € |`);
  return ['| Berth | Length | A night |', '| --- | --- | --- |', ...rows].join('\n');
}

const help = `I book berths, and I ask before I do anything. Try:

- *Find a berth for 9 m*
- *Book a berth for the Petrel, 9 m, 3 nights*
- *Book B2 for the Wal and cancel HB-1001* (two decisions)
- *How deep is A4?* (takes a few seconds)
- *Order a pilot* (the office asks you something)
- *Find a berth for 11 m and show it on the map* (on [the berth map](/map.html))`;

async function* speak(run: AgentRun, text: string): AsyncGenerator<string> {
  for (const word of text.split(/(?<=\s)/)) {
    yield word;
    await waitAtPace(run, 20);
  }
}
