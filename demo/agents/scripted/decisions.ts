import type { ContentItem, StoredMessage } from '../../../src/protocol/index.ts';
import type { AgentEvent, AgentRun } from '../../../src/service/agents/agent.ts';
import { waitAtPace } from '../../../src/service/agents/pace.ts';
import { say, status, useTool } from './speech.ts';
import type { Play } from './plays.ts';

/** How long a decision stays open, in ms. */
const openMs = 24 * 3_600_000;

const bookSchema = {
  type: 'object',
  required: ['boat', 'berth', 'arrival', 'nights'],
  properties: {
    boat: { type: 'string', title: 'Boat', minLength: 2 },
    berth: { type: 'string', title: 'Berth', enum: ['C 14', 'C 22', 'D 3'] },
    arrival: { type: 'string', format: 'date', title: 'Arrival' },
    nights: { type: 'integer', title: 'Nights', minimum: 1, maximum: 30 },
    electricity: { type: 'boolean', title: 'Electricity' },
    remarks: { type: 'string', title: 'Remarks for the harbour master' },
  },
};

const booking = {
  boat: 'Marigold',
  berth: 'C 14',
  arrival: '2026-06-12',
  nights: 3,
  electricity: true,
  remarks: 'We come in after 20:00 and take the berth from the sea side.',
};

const longRemarks = `${booking.remarks} ${'The skipper has a bad knee, so a berth near the gate would help. '.repeat(8)}`;

const cancellation = {
  type: 'object',
  properties: {
    reference: { type: 'string', title: 'Booking' },
    refund: { type: 'number', title: 'Refund in euros' },
  },
};

/** The call of a tool, as the demo asks for it. */
interface Call {
  readonly id: string;
  readonly title: string;
  readonly tool: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the visitor is told once it is done. */
  readonly done: (args: Readonly<Record<string, unknown>>) => string;
}

const book: Call = {
  id: 'book',
  title: 'Book a berth',
  tool: 'book_berth',
  description: 'Reserves a berth. The office writes the invoice on arrival.',
  schema: bookSchema,
  args: booking,
  done: ({ berth, boat }) =>
    `Booked: berth **${plain(berth)}** for the ${plain(boat)}. Your reference is **GQ-2041**.`,
};
const cancel: Call = {
  id: 'cancel',
  title: 'Cancel a booking',
  tool: 'cancel_booking',
  description: 'Gives a berth back. The refund takes up to five days.',
  schema: cancellation,
  args: { reference: 'GQ-1987', refund: 53 },
  done: ({ reference }) => `Booking **${plain(reference)}** is cancelled.`,
};

/** Asks before it books; `two` asks for two calls at once, `long` has long arguments. */
export const approve: Play = async function* (run, argument) {
  const calls = /two/.test(argument) ? [cancel, book] : [book];
  const args = /long/.test(argument) ? { ...booking, remarks: longRemarks, crew: ['Ada', 'Grace'] } : booking;
  yield status('lookingUp', 'Looking for a free berth');
  await waitAtPace(run, 500);
  yield* say(
    run,
    calls.length > 1
      ? 'Then I would give back your old berth and book **C 14** instead.'
      : 'Berth **C 14** fits. I can book it for you.',
  );
  const items = calls.map((call): ContentItem => {
    const asked = call === book ? args : call.args;
    return approvalItem(`${call.id}-${run.runId.slice(0, 8)}`, call, asked);
  });
  yield { event: 'message.interrupt', data: { message: { role: 'assistant', content: items } } };
};

function approvalItem(id: string, call: Call, args: Readonly<Record<string, unknown>>): ContentItem {
  return {
    response_type: 'forms',
    sub_type: 'tool_approval',
    id,
    name: call.title,
    tool: {
      server: 'Berths of Grey Quay',
      name: call.tool,
      title: call.title,
      description: call.description,
      read_only: false,
    },
    json_schema: call.schema,
    form_data: args,
    decision: { state: 'asked', expires_at: new Date(Date.now() + openMs).toISOString() },
  };
}

/** The visitor's decisions in a message. */
export function decisionsIn({ content }: Pick<StoredMessage, 'content'>): readonly ContentItem[] {
  return Array.isArray(content)
    ? content.filter((item) => item.sub_type === 'tool_approval' && item.form_operation != null)
    : [];
}

/** Goes on once every call is decided: runs those that were approved, each once. */
export async function* afterDecisions(
  run: AgentRun,
  decisions: readonly ContentItem[],
): AsyncGenerator<AgentEvent> {
  const [decision] = decisions;
  const before = run.history.flatMap(decisionsIn);
  const asked = run.history.findLast(
    ({ role, content }) => role !== 'user' && JSON.stringify(content).includes(JSON.stringify(decision?.id)),
  );
  const items = Array.isArray(asked?.content)
    ? asked.content.filter((item) => item.sub_type === 'tool_approval')
    : [];
  const first = new Map<unknown, ContentItem>();
  for (const one of [...before, ...decisions]) if (!first.has(one.id)) first.set(one.id, one);
  if (!decisions.some((one) => first.get(one.id) === one)) {
    yield* say(run, 'That was decided before; the first decision counts.');
    return;
  }
  if (items.some(({ id }) => !first.has(id))) {
    yield { event: 'message.interrupt' }; // another call is still open
    return;
  }
  const lines: string[] = [];
  for (const item of items) {
    const taken = first.get(item.id);
    const call = [book, cancel].find(({ title }) => title === item['name']);
    if (!call || !taken) continue;
    if (taken.form_operation === 'cancel') {
      const { reason } = taken;
      lines.push(
        `Very well, I did not ${call.title.toLowerCase()}${typeof reason === 'string' ? ` (“${reason}”)` : ''}.`,
      );
      continue;
    }
    const args = taken.form_data ?? item.form_data ?? {};
    const response = JSON.stringify({ ok: true, reference: 'GQ-2041' });
    yield* useTool(run, { id: String(item.id), name: call.title, args, response, takes: 1500 });
    lines.push(call.done(args));
  }
  yield* say(run, lines.join('\n\n'));
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
