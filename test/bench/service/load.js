import { request as httpRequest, Agent } from 'node:http';
import { percentile, until, usage } from './measures.js';

/** Seconds to wait for the last streams to open after the ramp. */
const openLimit = 60;

/**
 * Opens `streams` runs within `ramp` seconds, each telling an event every `delay` milliseconds, lets them run for
 * `warm` seconds once all are open, then measures for `seconds`: how late each event is read after it was numbered, and
 * what the server spends.
 */
export async function measure({ address, pid, token, streams, delay, ramp, warm, seconds }) {
  const total = ramp + warm + seconds + openLimit;
  const text = 'tide '.repeat(Math.ceil((total * 1000) / delay));
  const body = JSON.stringify({
    agent_id: 'echo',
    message: { role: 'user', content: [{ response_type: 'text', text }] },
    additional_parameters: { delay_ms: delay, chunk_length: 5 },
  });
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const delays = [];
  const gaps = [];
  let measuring = false;
  let open = 0;
  let failed = 0;
  const before = usage(pid);
  const requests = [];
  const start = performance.now();
  for (let place = 0; place < streams; place += 1) {
    await until(start + (place / streams) * ramp * 1000);
    requests.push(
      stream(
        { address, body, agent, token },
        {
          opened: () => (open += 1),
          failed: () => (failed += 1),
          event: (id, gap) => {
            if (!measuring) return;
            delays.push(Date.now() - id);
            if (gap !== undefined) gaps.push(gap);
          },
        },
      ),
    );
  }
  const limit = performance.now() + openLimit * 1000;
  while (open + failed < streams && performance.now() < limit) await until(performance.now() + 100);
  await until(performance.now() + warm * 1000);
  const from = usage(pid);
  const began = performance.now();
  measuring = true;
  await until(began + seconds * 1000);
  measuring = false;
  const elapsed = (performance.now() - began) / 1000;
  const to = usage(pid);
  for (const request of requests) request.destroy();
  agent.destroy();
  const events = delays.length;
  return {
    streams: open,
    failed,
    events,
    eventsPerSecond: events / elapsed,
    cpuMicrosecondsPerEvent: ((to.cpu - from.cpu) / events) * 1e6,
    cores: (to.cpu - from.cpu) / elapsed,
    p50: percentileOfWhole(delays, 0.5),
    p99: percentileOfWhole(delays, 0.99),
    worst: percentile(delays, 1),
    gapP99: percentile(gaps, 0.99),
    kilobytesPerStream: ((to.resident - before.resident) / streams) * 1024,
    resident: to.resident,
  };
}

function stream({ address, body, agent, token }, hear) {
  const request = httpRequest(`${address}/api/v1/hub/runs/stream`, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'content-length': Buffer.byteLength(body),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
  });
  let last;
  request.on('response', (response) => {
    if (response.statusCode !== 200) return hear.failed();
    hear.opened();
    response.setEncoding('latin1');
    response.on('data', (text) => {
      for (const match of text.matchAll(/id: (\d+)-\d+\nevent: message\.delta/g)) {
        const now = performance.now();
        hear.event(Number(match[1]), last === undefined ? undefined : now - last);
        last = now;
      }
    });
    response.on('error', () => undefined);
  });
  request.on('error', () => undefined);
  request.end(body);
  return request;
}

/** A percentile of whole milliseconds, between them: those of one figure count as spread evenly over it. */
function percentileOfWhole(values, share) {
  const figure = percentile(values, share);
  const below = values.filter((value) => value < figure).length;
  const equal = values.filter((value) => value === figure).length;
  return figure + (values.length * share - below) / equal;
}
