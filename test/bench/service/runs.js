import { Agent, request as httpRequest } from 'node:http';
import { percentile, until, usage } from './measures.js';

/** Seconds after which runs that have not ended count as failed. */
const endLimit = 120;

/**
 * Starts `runs` runs within `ramp` seconds (0: all at once), each of `events` events, one every `delay` milliseconds, and
 * reads them to their ends. Measures what the server spends on all of it, and the time from a request to its first event.
 */
export async function measureRuns({ address, pid, token, runs, events, delay, ramp }) {
  const body = JSON.stringify({
    agent_id: 'echo',
    message: { role: 'user', content: [{ response_type: 'text', text: 'tide '.repeat(events) }] },
    additional_parameters: { delay_ms: delay, chunk_length: 5 },
  });
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const firsts = [];
  let deltas = 0;
  let failed = 0;
  const from = usage(pid);
  const began = performance.now();
  const ends = [];
  for (let place = 0; place < runs; place += 1) {
    if (ramp > 0) await until(began + (place / runs) * ramp * 1000);
    ends.push(
      read({ address, body, agent, token }).then(
        (run) => {
          firsts.push(run.first);
          deltas += run.deltas;
        },
        () => (failed += 1),
      ),
    );
  }
  let timer;
  await Promise.race([
    Promise.all(ends),
    new Promise((resolve) => (timer = setTimeout(resolve, endLimit * 1000))),
  ]);
  clearTimeout(timer);
  const to = usage(pid);
  agent.destroy();
  return {
    runs: firsts.length,
    failed: runs - firsts.length,
    events: deltas,
    cpuMicrosecondsPerEvent: ((to.cpu - from.cpu) / deltas) * 1e6,
    cpuMillisecondsPerRun: ((to.cpu - from.cpu) / runs) * 1e3,
    firstP50: percentile(firsts, 0.5),
    firstP99: percentile(firsts, 0.99),
    firstWorst: percentile(firsts, 1),
    seconds: (performance.now() - began) / 1000,
  };
}

/** Reads one run; resolves with the milliseconds until its first event, and its number of deltas. */
function read({ address, body, agent, token }) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let first;
    let deltas = 0;
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
    request.on('response', (response) => {
      response.setEncoding('latin1');
      response.on('data', (text) => {
        if (text.includes('event:')) first ??= performance.now() - began;
        deltas += text.split('event: message.delta').length - 1;
      });
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200 && first !== undefined
          ? resolve({ first, deltas })
          : reject(new Error('no run')),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}
