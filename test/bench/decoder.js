// Measures the stream decoder alone, in Node: many tiny events and one giant one, each at a tenth and at the full size.
// Linear work shows as a growth exponent near 1. Prints a table.
//
//   npm run bench:decoder
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const folder = mkdtempSync(join(tmpdir(), 'agent-chat-bench-'));
await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: folder,
    emptyOutDir: true,
    lib: {
      entry: fileURLToPath(new URL('../../src/client/framing/run-stream-decoder.ts', import.meta.url)),
      formats: ['es'],
      fileName: 'decoder',
    },
  },
});
const { RunStreamDecoder } = await import(join(folder, 'decoder.js'));
rmSync(folder, { recursive: true });

const encoder = new TextEncoder();
const delta = (id, text) => ({
  id: `1770000000000-${id}`,
  event: 'message.delta',
  data: { run_id: 'R', delta: { role: 'assistant', content: [{ id: '1', response_type: 'text', text }] } },
});
const framings = {
  NDJSON: (event) => `${JSON.stringify(event)}\n`,
  SSE: ({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  concatenated: (event) => JSON.stringify(event),
  pretty: (event) => `${JSON.stringify(event, null, 2)}\n`,
};

/** Milliseconds to decode bytes that arrive in reads of this size; the best of three. */
function time(bytes, length, expected) {
  let best = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const decoder = new RunStreamDecoder({ recordLimit: 32 * 1024 * 1024 });
    let events = 0;
    const started = performance.now();
    for (let at = 0; at < bytes.length; at += length) {
      events += decoder.push(bytes.subarray(at, at + length)).length;
    }
    events += decoder.end().length;
    best = Math.min(best, performance.now() - started);
    if (events !== expected) throw new Error(`${events} events instead of ${expected}`);
  }
  return best;
}

console.log('| what | framing | a tenth, ms | whole, ms | growth exponent |\n|---|---|--:|--:|--:|');
for (const [name, write] of Object.entries(framings)) {
  const many = (count) =>
    encoder.encode(Array.from({ length: count }, (_none, id) => write(delta(id, 'word '))).join(''));
  await row('100,000 tiny events, reads of 4 KiB', name, (share) => {
    const count = 100_000 * share;
    return time(many(count), 4096, count);
  });
  await row('one event of 8 MiB, reads of 64 KiB', name, (share) =>
    time(encoder.encode(write(delta(1, 'x'.repeat(8 * 1024 * 1024 * share)))), 65_536, 1),
  );
  await row('one event of 250 kB, reads of 16 bytes', name, (share) =>
    time(encoder.encode(write(delta(1, 'x'.repeat(250_000 * share)))), 16, 1),
  );
}

async function row(what, framing, measure) {
  await measure(0.01);
  const [tenth, whole] = [await measure(0.1), await measure(1)];
  const exponent = Math.log10(whole / tenth);
  console.log(
    `| ${what} | ${framing} | ${tenth.toFixed(1)} | ${whole.toFixed(1)} | ${exponent.toFixed(2)} |`,
  );
}
