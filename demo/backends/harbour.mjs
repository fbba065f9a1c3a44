// A back end for an agent of the kind "http", with Node only: node harbour.mjs [port]
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.SIGNING_SECRET || process.exit(console.error('SIGNING_SECRET is not set') ?? 1);
const seen = new Map(); // signatures of the last five minutes

function isGenuine(header = '', body) {
  const [, time, hash] = /^t=(\d+),v1=([\da-f]{64})$/.exec(header) ?? [];
  for (const [old, at] of seen) if (Date.now() - at > 300_000) seen.delete(old);
  if (!time || Math.abs(Date.now() - time) > 300_000 || seen.has(hash)) return false;
  const own = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  return timingSafeEqual(own, Buffer.from(hash, 'hex')) && Boolean(seen.set(hash, Number(time)));
}

function* answer({ message: { content }, history }) {
  const form = content.find((item) => item.form_operation === 'submit');
  const text = content.map((item) => item.text ?? '').join('');
  let sentence = `You said: ${text}. That was message ${history.length + 1}.`;
  if (form) sentence = `Berth booked for ${form.form_data.nights} nights.`;
  else if (/book/i.test(text)) {
    const nights = { type: 'integer', minimum: 1 };
    const json_schema = { type: 'object', properties: { nights }, required: ['nights'] };
    const item = { response_type: 'forms', id: 'booking', name: 'Book a berth', json_schema };
    return yield { event: 'message.interrupt', data: { message: { role: 'assistant', content: [item] } } };
  }
  for (const word of sentence.split(/(?<= )/))
    yield { event: 'message.delta', data: { delta: { text: word } } };
  yield { event: 'done' };
}

const server = createServer(async (request, response) => {
  const parts = await request.toArray().catch(() => []); // the caller broke off
  const body = Buffer.concat(parts).toString();
  if (!isGenuine(request.headers['x-agent-signature'], body)) return response.writeHead(401).end();
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (const event of answer(JSON.parse(body))) response.write(`${JSON.stringify(event)}\n`);
  response.end();
}).listen(process.argv[2] ?? 9000, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
