// An MCP server over stdio with one tool, which answers with the trace of its call.
import { createInterface } from 'node:readline';

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tides', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'tides', inputSchema: { type: 'object', properties: {} } }] }),
  'tools/call': ({ _meta }) => ({
    content: [{ type: 'text', text: `high at six, ${_meta.traceparent}` }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = results[method]?.(params);
  if (result) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
