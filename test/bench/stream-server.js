// Serves the pages of the bench and streams answers at a steady pace, in a process of its own so that its work is not
// measured. Prints its port. Its argument is the folder of the peers' bundles, if there are any.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerText } from './texts.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const roots = {
  page: join(here, 'page'),
  dist: fileURLToPath(new URL('../../dist/', import.meta.url)),
  peers: join(here, 'peers'),
  peer: process.argv[2],
};
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const deltaLength = 16;

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const thread = /^\/api\/v1\/hub\/threads\/0{8}-0{4}-4000-8000-(\d{12})\/messages$/.exec(url.pathname);
  if (request.method === 'POST' && url.pathname === '/api/v1/hub/runs/stream') void run(request, response);
  else if (thread) history(Number(thread[1]), response);
  else void file(url.pathname, response);
});

async function file(path, response) {
  const [, root, ...rest] = path.split('/');
  const target = roots[root] && join(roots[root], normalize(rest.join('/')));
  const found = target && target.startsWith(roots[root]) && (await stat(target).catch(() => undefined));
  if (!found?.isFile()) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': types[extname(target)] ?? 'text/plain' });
  createReadStream(target).pipe(response);
}

/** As many messages as the thread's id says in its last part, questions and answers in turn. */
function history(count, response) {
  const messages = Array.from({ length: count }, (_none, at) => ({
    id: `m${at}`,
    run_id: `r${at >> 1}`,
    role: at % 2 ? 'assistant' : 'user',
    created_on: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
    content: [{ id: '1', response_type: 'text', text: at % 2 ? answerText('mixed', 600) : `Question ${at}` }],
  }));
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ messages }));
}

/** The message reads `shape size rate`. */
async function run(request, response) {
  let body = '';
  for await (const piece of request) body += piece;
  const { content } = JSON.parse(body).message;
  const [shape, size, rate] = (typeof content === 'string' ? content : content[0].text).split(' ');
  const text = answerText(shape, Number(size));
  const ids = { run_id: 'R', thread_id: '6d1f1a52-3b0f-4d0c-9f5b-0c6a5a4f2f10' };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let sequence = 0;
  const send = (event, data) => {
    const id = `${Date.now()}-${sequence++}`;
    response.write(
      `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify({ id, event, data: { ...ids, ...data } })}\n\n`,
    );
  };
  send('run.started', { agent_id: 'bench' });
  send('message.started', {});
  const start = performance.now();
  let sent = 0;
  const total = Math.ceil(text.length / deltaLength);
  while (sent < total && !response.destroyed) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * Number(rate)) + 1);
    for (; sent < due; sent++) {
      const piece = text.slice(sent * deltaLength, (sent + 1) * deltaLength);
      send('message.delta', {
        delta: { role: 'assistant', content: [{ id: '1', response_type: 'text', text: piece }] },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 / Number(rate) / 2));
  }
  const message = { id: 'M', role: 'assistant', content: [{ id: '1', response_type: 'text', text }] };
  send('message.created', { message_id: 'M', message });
  send('message.completed', { message_id: 'M' });
  send('run.completed', { agent_id: 'bench', context: {} });
  send('done', { agent_id: 'bench', context: {} });
  response.end();
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
