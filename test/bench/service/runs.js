import { connect } from 'node:net';
import { percentile, until, usage } from './measures.js';

/** Seconds after which runs that have not ended count as failed. */
const endLimit = 120;

/**
 * Starts `runs` runs within `ramp` seconds (0: all at once), each of `events` events, one every `delay` milliseconds,
 * and reads them to their ends. Measures what the server spends on all of it, and the time from a request to its first
 * event. The cost of an event is measured in the middle, while nearly all runs are open; the rest of a run's cost is
 * fixed.
 *
 * The requests go over plain sockets: Node's HTTP client would take longer for them than the server.
 * @param tokens of the visitors, one after the other; none for a server without authentication
 */
export async function measureRuns({ address, pid, tokens = [], runs, events, delay, ramp }) {
  const body = JSON.stringify({
    agent_id: 'echo',
    message: { role: 'user', content: [{ response_type: 'text', text: 'tide '.repeat(events) }] },
    additional_parameters: { delay_ms: delay, chunk_length: 5 },
  });
  const { hostname, port } = new URL(address);
  const requests = Array.from({ length: runs }, (_, place) =>
    [
      'POST /api/v1/hub/runs/stream HTTP/1.1',
      `host: ${hostname}:${port}`,
      'content-type: application/json',
      'accept: text/event-stream',
      'connection: close',
      `content-length: ${Buffer.byteLength(body)}`,
      ...(tokens.length > 0 ? [`authorization: Bearer ${tokens[place % tokens.length]}`] : []),
      '',
      body,
    ].join('\r\n'),
  );
  const count = { deltas: 0 };
  const firsts = [];
  const from = usage(pid);
  const began = performance.now();
  const middle = measureMiddle({ pid, count, length: events * delay });
  const ends = [];
  for (const [place, request] of requests.entries()) {
    if (ramp > 0) await until(began + (place / runs) * ramp * 1000);
    ends.push(
      read({ hostname, port, request, count }).then(
        (first) => firsts.push(first),
        () => undefined,
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
  const cpu = to.cpu - from.cpu;
  const cpuOfEvent = await middle;
  return {
    runs: firsts.length,
    failed: runs - firsts.length,
    events: count.deltas,
    cpuMicrosecondsPerEvent: (cpu / count.deltas) * 1e6,
    cpuMillisecondsPerRun: (cpu / runs) * 1e3,
    microsecondsOfEvent: cpuOfEvent * 1e6,
    fixedMilliseconds: ((cpu - cpuOfEvent * count.deltas) / runs) * 1e3,
    firstP50: percentile(firsts, 0.5),
    firstP99: percentile(firsts, 0.99),
    seconds: (performance.now() - began) / 1000,
  };
}

/** Returns the processor seconds of an event while the runs are open and few of them start or end. */
async function measureMiddle({ pid, count, length }) {
  const began = performance.now();
  await until(began + length * 0.4);
  const [before, deltas] = [usage(pid), count.deltas];
  await until(began + length * 0.9);
  return (usage(pid).cpu - before.cpu) / (count.deltas - deltas);
}

const delta = 'event: message.delta';

/** Reads one run and counts its deltas; resolves with the milliseconds until its first event. */
function read({ hostname, port, request, count }) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let first;
    let start = '';
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      if (first === undefined) {
        start += text;
        if (start.includes('event:')) first = performance.now() - began;
      }
      count.deltas += text.split(delta).length - 1;
    });
    socket.on('error', reject);
    socket.on('close', () =>
      start.startsWith('HTTP/1.1 200') && first !== undefined ? resolve(first) : reject(new Error('no run')),
    );
    socket.write(request);
  });
}
