import { expect, test } from '@playwright/test';
import { isBuilt, root, runIn } from '../package/pack.ts';
import { maxResponseBytes, probe } from '../../src/verify/probe.ts';
import { formatReport, verify, type Finding } from '../../src/verify/index.ts';
import { startService } from '../service/running-service.ts';
import { startServer, type ServerFault } from './servers.ts';

test.describe.configure({ mode: 'parallel' });

async function findingsOf(fault?: ServerFault): Promise<readonly Finding[]> {
  const server = await startServer(fault);
  try {
    return await verify({
      baseUrl: server.url,
      agentId: 'a',
      token: 'good',
      silenceLimitMs: 1500,
      timeoutMs: 5000,
    });
  } finally {
    await server.close();
  }
}

test('a good server that offers nothing beyond the interface passes without error or advice', async () => {
  const findings = await findingsOf();
  expect(findings.filter(({ kind }) => kind === 'error' || kind === 'advice')).toEqual([]);
  expect(findings.filter(({ kind }) => kind === 'ok').length).toBeGreaterThan(18);
  expect(findings.filter(({ kind }) => kind === 'absent').map(({ check }) => check)).toContain(
    'replay of a run',
  );
  expect(formatReport('http://x', findings)).toMatch(
    /0 errors, 0 advice, .*\nThe widget works with this server\.$/,
  );
});

test('an agent that answers with a question is no error: the stream ends with it', async () => {
  const asks = (lines: string[]): string[] => {
    const created = lines.findIndex((line) => line.includes('"message.created"'));
    return lines
      .slice(0, created + 1)
      .map((line, at) => (at === created ? line.replace('message.created', 'message.interrupt') : line));
  };
  const findings = await findingsOf({ events: asks });
  const of = (check: string) => findings.find((finding) => finding.check === check);
  expect(of('end of the stream')).toMatchObject({ kind: 'ok', seen: 'a question, message.interrupt' });
  expect(of('message')).toMatchObject({ kind: 'ok' });
  expect(findings.filter(({ kind }) => kind === 'error')).toEqual([]);
});

test('an answer of several messages is no error: each one repeats its own deltas', async () => {
  const twice = (lines: string[]): string[] => {
    const created = lines.findIndex((line) => line.includes('message.created'));
    const messages = [lines.slice(1, created + 1), lines.slice(1, created + 1)].flat();
    return [lines[0] ?? '', ...messages, ...lines.slice(created + 1)].map((line, at) =>
      line.replace(/-\d+"/, `-${at}"`),
    );
  };
  const findings = await findingsOf({ events: twice });
  expect(findings.find(({ check }) => check === 'message')).toMatchObject({ kind: 'ok' });
  expect(findings.filter(({ kind }) => kind === 'error')).toEqual([]);
});

/** Gives a run again as server-sent events: of its lines, whatever `replay` says. */
function resuming(replay: (lines: readonly string[]) => readonly string[]): ServerFault {
  let first: readonly string[] | undefined;
  return {
    events: (lines) => {
      const numbered = lines.map((line, at) =>
        line.replace(/"id":"[^"]*"/, `"id":"1770000000000-${at === 9 ? 6 : 50 + at}"`),
      );
      first ??= numbered;
      return numbered;
    },
    answer: (request, response) => {
      if (request.method !== 'GET' || !/\/runs\/[^/]+\/events$/.test(request.url ?? '')) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const line of replay(first ?? [])) {
        const { id, event, data } = JSON.parse(line) as { id: string; event: string; data: unknown };
        response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      }
      response.end();
      return true;
    },
  };
}

const withoutThread = (line: string): string => line.replace(/,?"thread_id":"[^"]*"/, '');
const broken: readonly { name: string; fault: ServerFault; check: string; seen: RegExp }[] = [
  {
    name: 'closes the stream without an end event',
    fault: { events: (lines) => lines.slice(0, -2) },
    check: 'end of the stream',
    seen: /ended after message\.created/,
  },
  {
    name: 'goes on after done',
    fault: { events: (lines) => [...lines.slice(0, -3), lines.at(-1) ?? '', ...lines.slice(-3, -1)] },
    check: 'end of the stream',
    seen: /message\.created, run\.completed came after done/,
  },
  {
    name: 'sends records that are no JSON',
    fault: { events: (lines) => lines.map((line, at) => (at === 3 ? `${line.slice(0, -9)}` : line)) },
    check: 'framing',
    seen: /.+/,
  },
  {
    name: 'names no thread',
    fault: { events: (lines) => lines.map(withoutThread) },
    check: 'thread',
    seen: /no event carries/,
  },
  {
    name: 'says something else in the whole message',
    fault: { events: (lines) => lines.map((line) => line.replace('The tide is high', 'Nothing is high')) },
    check: 'message',
    seen: /differs from the deltas/,
  },
  {
    name: 'streams text after the whole message',
    fault: {
      events: (lines) => {
        const created = lines.findIndex((line) => line.includes('message.created'));
        return lines.toSpliced(created, 1).toSpliced(1, 0, lines[created] ?? '');
      },
    },
    check: 'message',
    seen: /deltas come after/,
  },
  {
    name: 'holds the stream back',
    fault: { holdsBack: true },
    check: 'buffering',
    seen: /deltas arrived within/,
  },
  { name: 'falls silent', fault: { silence: 1800 }, check: 'heartbeat', seen: /without a byte/ },
  {
    name: 'lets no other origin in',
    fault: { withoutCors: true },
    check: 'CORS, preflight',
    seen: /without allowing/,
  },
  {
    name: 'answers anybody',
    fault: { anybody: true },
    check: 'a request without a token',
    seen: /answered 200/,
  },
  { name: 'loses the thread', fault: { forgetsThreads: true }, check: 'second turn', seen: /another thread/ },
  {
    name: 'breaks on bad requests',
    fault: { rudeErrors: true },
    check: 'a run without a message',
    seen: /answered 500/,
  },
  {
    name: 'has no notifications',
    fault: {
      answer: (request, response) => {
        if (request.method === 'OPTIONS' || !request.url?.startsWith('/api/v1/notifications')) return false;
        response.writeHead(404).end('{"detail":"no such path"}');
        return true;
      },
    },
    check: 'notification',
    seen: /answered 404/,
  },
  {
    name: 'begins anew when a run is to go on',
    fault: resuming((lines) => lines),
    check: 'resume',
    seen: /: 0 events are missing, 9 came again$/,
  },
  {
    name: 'leaves an event out when a run goes on',
    fault: resuming((lines) => lines.slice(10)),
    check: 'resume',
    seen: /: 1 events are missing, 0 came again$/,
  },
  {
    name: 'stands behind a sign-in page',
    fault: {
      answer: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Sign in</h1>');
        return true;
      },
    },
    check: 'run',
    seen: /an HTML page instead of a stream/,
  },
];

for (const { name, fault, check, seen } of broken) {
  test(`a server that ${name} is told so, with what to do`, async () => {
    const faults = (await findingsOf(fault)).filter(({ kind }) => kind === 'error');
    const found = faults.find((finding) => finding.check === check);
    expect(found?.seen, JSON.stringify(faults)).toMatch(seen);
    expect(found?.remedy).toMatch(/\w{3,}/);
    expect(formatReport('http://x', faults)).toContain('does not work properly');
  });
}

test('a server that is not there is told, and the token is in no report', async () => {
  const findings = await verify({ baseUrl: 'http://127.0.0.1:9', agentId: 'a', token: 'very-secret' });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ kind: 'error', check: 'connection' });
  const echo = await startServer({
    answer: (request, response) => {
      response.writeHead(403).end(`no right for ${request.headers.authorization ?? ''}`);
      return true;
    },
  });
  const refused = await verify({ baseUrl: echo.url, agentId: 'a', token: 'very-secret' });
  await echo.close();
  expect(formatReport(echo.url, refused)).toContain('[token]');
  expect(formatReport(echo.url, refused)).not.toContain('very-secret');
});

/** Drops the connection of the request of this number, the first being 1, and of every later one when `onwards`. */
function dropping(number: number, onwards = false): ServerFault {
  let asked = 0;
  return {
    answer: (request) => {
      asked += 1;
      if (onwards ? asked < number : asked !== number) return false;
      request.socket.destroy();
      return true;
    },
  };
}

test('a request that is dropped is an error of its check alone, and the others go on', async () => {
  const checks = ['run', 'second turn', 'CORS, preflight', 'a request without a token'];
  const all = (await findingsOf()).map(({ check }) => check);
  for (const [index, check] of checks.entries()) {
    // a dropped run is asked for once more, so that everything else is checked all the same
    const findings = await findingsOf(dropping(index + 1));
    const faults = findings.filter(({ kind }) => kind === 'error');
    expect(faults.map((fault) => fault.check)).toEqual([check]);
    expect(faults[0]?.seen).toContain('no answer');
    expect(findings.map((finding) => finding.check)).toEqual(expect.arrayContaining(all));
  }
});

test('a server that drops every run, or all from some request on, is told check by check', async () => {
  const faultsOf = async (fault: ServerFault): Promise<string[]> =>
    (await findingsOf(fault)).filter(({ kind }) => kind === 'error').map(({ check }) => check);
  const withoutRuns = await faultsOf({
    answer: (request) => {
      const isRun = request.method === 'POST' && (request.url ?? '').endsWith('/runs/stream');
      if (isRun) request.socket.destroy();
      return isRun;
    },
  });
  expect(withoutRuns).toContain('run');
  expect(withoutRuns).not.toContain('connection');
  expect(withoutRuns).not.toContain('CORS, preflight');
  const dying = await faultsOf(dropping(3, true));
  expect(dying).toEqual(expect.arrayContaining(['CORS, preflight', 'callback', 'published config']));
  expect(await faultsOf(dropping(1, true))).toEqual(['connection']);
});

test('an answer without end is read up to a limit, and told', async () => {
  const line = `{"event":"message.delta","data":{"pad":"${'x'.repeat(64 * 1024)}"}}\n`;
  const server = await startServer({
    answer: (_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(line));
      };
      response.on('drain', write);
      write();
      return true;
    },
  });
  const settings = {
    baseUrl: server.url,
    token: 'good',
    productPath: 'hub',
    origin: 'null',
    timeoutMs: 30_000,
  };
  const response = await probe(settings, { method: 'GET', path: '/' });
  expect(response.broken).toBe('endless');
  expect(response.text.length).toBeLessThan(maxResponseBytes * 1.5);
  await server.close();
});

test('what a server sent commands no terminal', async () => {
  const escape = '\u001b]0;owned\u0007\u001b[2J\u009b31m';
  const refused = await findingsOf({
    answer: (_request, response) => {
      response.writeHead(500).end(`${escape}\u202eno\r\nnewline`);
      return true;
    },
  });
  const odd = await findingsOf({
    events: ([first = '', ...lines]) => [
      first,
      JSON.stringify({ id: 'x', event: `odd${escape}\n`, data: {} }),
      ...lines,
    ],
  });
  for (const findings of [refused, odd]) {
    const report = formatReport('http://x', findings);
    expect(report).toContain(']0;owned[2J31m');
    expect(report.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  }
});

test('our own service passes, with everything it offers', async () => {
  const service = await startService({ playground: true });
  const findings = await verify({
    baseUrl: service.address,
    agentId: 'demo',
    token: await service.token('ada', { scopes: ['run', 'callback', 'notify', 'config'] }),
  }).finally(() => service.close());
  expect(findings.filter(({ kind }) => kind === 'error' || kind === 'advice')).toEqual([]);
  const offered = findings.filter(({ kind }) => kind === 'ok').map(({ check }) => check);
  expect(offered).toEqual(
    expect.arrayContaining(['replay of a run', 'resume', 'messages of a thread', 'buffering']),
  );
  expect(findings.find(({ check }) => check === 'published config')).toMatchObject({
    kind: 'ok',
    seen: 'offered; nothing is published for this agent',
  });
});

test('the command itself, as built, ends with 0 for a good server and with 1 and the fault for a broken one', async () => {
  test.skip(!isBuilt, 'dist/ is not complete: npm run build');
  test.setTimeout(180_000);
  const run = (address: string, agent: string, token: string): ReturnType<typeof runIn> =>
    runIn(root, 'node', [
      ...['dist/service/cli.js', 'verify', '--agent-id', agent],
      ...['--base-url', address, '--token', token],
    ]);
  const service = await startService({ playground: true });
  const scopes = ['run', 'callback', 'notify', 'config'];
  const own = await run(service.address, 'demo', await service.token('ada', { scopes })).finally(() =>
    service.close(),
  );
  expect(own.output).toContain('The widget works with this server.');
  expect(own.good, own.output).toBe(true);
  // a process each: all of them with VERIFY=1, but for the silence, which the command takes longer to call one
  const told = broken.filter(({ check }) => check !== 'heartbeat');
  const tried = process.env['VERIFY'] ? told : told.slice(0, 1);
  await Promise.all(
    tried.map(async ({ fault, seen }) => {
      const server = await startServer(fault);
      const { good, output } = await run(server.url, 'a', 'good').finally(() => server.close());
      expect(output).toMatch(seen);
      expect(output).toContain('does not work properly');
      expect(good).toBe(false);
    }),
  );
});

test('an agent that fails is an error, with its code and message', async () => {
  const fails = (lines: string[]): string[] =>
    lines.map((line) =>
      line.includes('"run.completed"')
        ? JSON.stringify({
            ...(JSON.parse(line) as object),
            event: 'run.failed',
            data: { error: { code: 'upstream_unavailable', message: 'Not now.' } },
          })
        : line,
    );
  const findings = await findingsOf({ events: fails });
  expect(findings.filter(({ kind }) => kind === 'error')).toMatchObject([
    { check: 'answer', seen: 'run.failed: upstream_unavailable: Not now.' },
  ]);
  expect(formatReport('http://x', findings)).toContain(
    'does not work properly with this server yet: 1 error',
  );
});
