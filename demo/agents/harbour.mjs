// A harbour office as an MCP server over stdio, for the playground and the tests. It has no dependencies.
// HARBOUR_LOG: file that gets one line per executed call. First argument: pace of the slow tool, in ms. Second: how
// long the office waits for an answer to its question, in ms; by default, as long as it takes.
import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const stepMs = Number(process.argv[2] ?? 600);
const patienceMs = Number(process.argv[3] ?? Infinity);
const berths = [
  { berth: 'A1', length: 8, price: 18 },
  { berth: 'A4', length: 10, price: 24 },
  { berth: 'B2', length: 12, price: 31 },
  { berth: 'C7', length: 18, price: 55 },
];
const bookings = new Map();
/** Requests in progress: id → AbortController. */
const active = new Map();
/** Questions to the client: id → resolve. */
const asked = new Map();
let lastId = 0;
let canAsk = false;

const text = { type: 'string', minLength: 1 };
const berth = { type: 'string', title: 'Berth', enum: berths.map((one) => one.berth) };

const tools = [
  {
    name: 'find_berth',
    title: 'Find a berth',
    description: 'Lists the free berths that are long enough for a boat, with the price per night in euros.',
    inputSchema: {
      type: 'object',
      properties: { length: { type: 'number', title: 'Length of the boat (m)', minimum: 1, maximum: 40 } },
      required: ['length'],
    },
    annotations: { readOnlyHint: true },
    run: ({ length }) => {
      const free = berths.filter((one) => one.length >= length);
      if (free.length === 0) throw new Error(`No berth is long enough for ${length} m.`);
      return JSON.stringify(free);
    },
  },
  {
    name: 'book_berth',
    title: 'Book a berth',
    description: 'Books a berth for a boat. The booking is binding.',
    inputSchema: {
      type: 'object',
      properties: {
        berth,
        boat: { ...text, title: 'Name of the boat', maxLength: 60 },
        nights: { type: 'integer', title: 'Nights', minimum: 1, maximum: 30 },
        note: { type: 'string', title: 'Note for the harbour master' },
      },
      required: ['berth', 'boat', 'nights'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
    run: (args) => {
      const booking = `HB-${1001 + bookings.size}`;
      bookings.set(booking, args);
      const price = berths.find((one) => one.berth === args.berth).price * args.nights;
      return JSON.stringify({ booking, ...args, price });
    },
  },
  {
    name: 'cancel_booking',
    title: 'Cancel a booking',
    description: 'Cancels a booking. Cancelling it again changes nothing.',
    inputSchema: {
      type: 'object',
      properties: { booking: { ...text, title: 'Number of the booking', pattern: '^HB-\\d+$' } },
      required: ['booking'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: async ({ booking }, { signal }) => {
      await pause(stepMs, signal);
      bookings.delete(booking);
      return `${booking} is cancelled.`;
    },
  },
  {
    name: 'sound_depth',
    title: 'Sound the depth',
    description: 'Measures the depth at a berth. Takes a few seconds.',
    inputSchema: { type: 'object', properties: { berth }, required: ['berth'] },
    annotations: { readOnlyHint: true },
    run: async (args, { progress, signal }) => {
      const words = [
        'Lowering the lead',
        'First sounding',
        'Second sounding',
        'Third sounding',
        'Hauling in',
      ];
      for (const [step, message] of words.entries()) {
        progress(step + 1, words.length, message);
        await pause(stepMs, signal);
      }
      return `The depth at ${args.berth} is 3.4 m at low water.`;
    },
  },
  {
    name: 'order_pilot',
    title: 'Order a pilot',
    description:
      'Orders a pilot for the way into the harbour. The harbour office asks the skipper for the details.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    run: async (_args, { ask }) => {
      const answer = await ask('When shall the pilot come aboard, and how can we reach you?', {
        type: 'object',
        properties: {
          time: {
            type: 'string',
            title: 'Time',
            description: 'For example 14:30',
            minLength: 4,
            maxLength: 5,
          },
          channel: { type: 'string', title: 'Radio channel', enum: ['12', '14', '16'], default: '12' },
        },
        required: ['time', 'channel'],
      });
      if (answer.action === 'late')
        return 'No pilot was ordered: the office waited too long for the details.';
      if (answer.action !== 'accept') return 'No pilot was ordered: the skipper did not say when.';
      return `A pilot comes aboard at ${answer.content.time}. Listen on channel ${answer.content.channel}.`;
    },
  },
];

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function log(entry) {
  if (process.env.HARBOUR_LOG) appendFileSync(process.env.HARBOUR_LOG, `${JSON.stringify(entry)}\n`);
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('cancelled'));
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('cancelled'));
    });
  });
}

async function call(id, { name, arguments: args = {}, _meta }) {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return send({ id, error: { code: -32602, message: `There is no tool "${name}".` } });
  const controller = new AbortController();
  active.set(id, controller);
  const token = _meta?.progressToken;
  const context = {
    signal: controller.signal,
    progress: (progress, total, message) => {
      if (token === undefined) return;
      const params = { progressToken: token, progress, total, message };
      send({ method: 'notifications/progress', params });
    },
    ask: (message, requestedSchema) => {
      if (!canAsk) return Promise.resolve({ action: 'cancel' });
      const question = `ask-${(lastId += 1)}`;
      send({ id: question, method: 'elicitation/create', params: { message, requestedSchema } });
      return new Promise((resolve) => {
        asked.set(question, resolve);
        if (patienceMs === Infinity) return;
        setTimeout(() => {
          if (!asked.delete(question)) return;
          send({ method: 'notifications/cancelled', params: { requestId: question, reason: 'timeout' } });
          resolve({ action: 'late' });
        }, patienceMs);
      });
    },
  };
  log({ call: name, args });
  try {
    const result = await tool.run(args, context);
    send({ id, result: { content: [{ type: 'text', text: result }] } });
  } catch (error) {
    log({ call: name, cancelled: controller.signal.aborted });
    if (!controller.signal.aborted)
      send({ id, result: { isError: true, content: [{ type: 'text', text: error.message }] } });
  } finally {
    active.delete(id);
  }
}

const methods = {
  initialize: (id, params) => {
    canAsk = params.capabilities?.elicitation !== undefined;
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'harbour', version: '1.0.0' },
      },
    });
  },
  ping: (id) => send({ id, result: {} }),
  'tools/list': (id) => send({ id, result: { tools: tools.map(({ run: _run, ...tool }) => tool) } }),
  'tools/call': (id, params) => void call(id, params),
  'notifications/cancelled': (_id, { requestId }) => active.get(requestId)?.abort(),
};

// The tests hold the office closed with a file beside its log.
const isClosed = process.env.HARBOUR_LOG !== undefined && existsSync(`${process.env.HARBOUR_LOG}.hold`);

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === '' || isClosed) return;
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) {
    asked.get(id)?.(result ?? { action: 'cancel' });
    asked.delete(id);
    return;
  }
  const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handle) handle(id, params ?? {});
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Unknown method' } });
});
process.stdin.on('end', () => process.exit(0));
