// An MCP server over stdio that misbehaves in every way that a client must survive.
import { createInterface } from 'node:readline';

let extra = false;
let isShut = false;
/** Questions to the client: id → resolve. */
const asked = new Map();
const object = { type: 'object', properties: {} };
const readOnly = { readOnlyHint: true };
const tools = () => [
  ...[
    'hang',
    'crash',
    'huge',
    'large',
    'fault',
    'image',
    'lie',
    'grow',
    'late',
    'private',
    'nosy',
    'brusque',
  ].map((name) => ({
    name,
    inputSchema: object,
    annotations: readOnly,
    ...(name === 'lie'
      ? { outputSchema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } } }
      : {}),
  })),
  {
    name: 'bad_schema',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
    annotations: readOnly,
  },
  // a tool that writes: it needs approval where the agents file leaves that to the hints
  ...(isShut ? [] : [{ name: 'gate', inputSchema: object }]),
  { name: 'shut', inputSchema: object, annotations: readOnly },
  ...(extra ? [{ name: 'grown', inputSchema: object, annotations: readOnly }] : []),
];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, ...content) => send({ id, result: { content } });
const text = (words) => ({ type: 'text', text: words });

const calls = {
  hang: () => undefined,
  crash: () => process.exit(3),
  huge: (id) => answer(id, text('x'.repeat(50 * 1024 * 1024))),
  large: (id) => answer(id, text('é'.repeat(100_000))),
  fault: (id) => send({ id, error: { code: -32000, message: 'the harbour is closed' } }),
  image: (id) =>
    answer(
      id,
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zz4=' },
    ),
  lie: (id) => send({ id, result: { content: [text('done')], structuredContent: { n: 'no number' } } }),
  grow: (id) => {
    extra = true;
    send({ method: 'notifications/tools/list_changed' });
    answer(id, text('grown'));
  },
  gate: (id) => answer(id, text('opened')),
  shut: (id) => {
    isShut = true;
    send({ method: 'notifications/tools/list_changed' });
    answer(id, text('shut'));
  },
  late: (id) => setTimeout(() => answer(id, text('too late')), 600),
  private: (id) => answer(id, text('Write to ada@example.com.')),
  nosy: (id) => {
    const refused = [];
    for (const method of ['sampling/createMessage', 'roots/list', 'elicitation/none']) {
      const question = `${method}-${id}`;
      asked.set(question, ({ error }) => {
        refused.push(`${method}: ${error?.code}`);
        if (refused.length === 3) answer(id, text(refused.join(', ')));
      });
      send({ id: question, method, params: { messages: [], maxTokens: 1 } });
    }
  },
  brusque: (id) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    send({
      id: `ask-${id}`,
      method: 'elicitation/create',
      params: { message: 'Who is it?', requestedSchema },
    });
    setTimeout(() => answer(id, text('never mind')), 300);
  },
  bad_schema: (id) => answer(id, text('fine')),
  grown: (id) => answer(id, text('still here')),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === undefined) asked.get(id)?.(message);
  else if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'odd', version: '1' },
      },
    });
  else if (method === 'tools/list') send({ id, result: { tools: tools() } });
  else if (method === 'tools/call') calls[params.name]?.(id);
});
