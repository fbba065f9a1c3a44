import { createServer } from 'node:http';

/**
 * The baseline of the service benchmark: a bare Node server that sends a text as SSE events, one every `delay_ms`. It
 * parses the request and does nothing else.
 */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => (body += text));
  request.on('end', () => {
    const asked = JSON.parse(body);
    const { delay_ms: delay, chunk_length: length } = asked.additional_parameters;
    const text = asked.message.content[0].text;
    const ids = { run_id: crypto.randomUUID(), thread_id: crypto.randomUUID() };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(`id: ${Date.now()}-0\nevent: run.started\ndata: ${JSON.stringify(ids)}\n\n`);
    let at = 0;
    const next = () => {
      if (at >= text.length) return response.end('event: done\ndata: {}\n\n');
      const content = [{ id: '1', response_type: 'text', text: text.slice(at, at + length) }];
      at += length;
      const data = JSON.stringify({ delta: { role: 'assistant', content }, ...ids });
      response.write(`id: ${Date.now()}-0\nevent: message.delta\ndata: ${data}\n\n`);
      setTimeout(next, delay);
    };
    setTimeout(next, delay);
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(`Server listening at http://127.0.0.1:${server.address().port}`),
);
