import { endpoints } from '../protocol/index.ts';
import { callEndpoint } from './call-endpoint.ts';
import {
  checkCrossOrigin,
  checkErrors,
  checkExtensions,
  checkResume,
  checkSmallEndpoints,
  preflightOf,
} from './endpoint-checks.ts';
import { Findings, type Finding } from './finding.ts';
import { excerpt, type ProbeResponse, type ProbeSettings } from './probe.ts';
import { checkPace, checkTurn, readStream, type StreamReading } from './stream-checks.ts';

/** What is verified, and how patiently. */
export interface VerifyOptions {
  /** Root of the server. */
  readonly baseUrl: string;
  readonly agentId: string;
  readonly token: string;
  /** Path segment of the deployment. Default `hub`. */
  readonly productPath?: string;
  /** Origin of a page that would hold the widget. Default `https://www.example.com`. */
  readonly origin?: string;
  /** What is said to the agent; a longer answer tells more about buffering. */
  readonly message?: string;
  /** Milliseconds to wait for an answer to end. Default 60 000. */
  readonly timeoutMs?: number;
  /** Milliseconds without a byte that are too many. Default 20 000. */
  readonly silenceLimitMs?: number;
}

const defaultMessage =
  'Hello. Please answer in a few sentences, with some words in other scripts: naïve, 東京, 👩‍🚀. This is a check of the connection.';

/**
 * Talks to a server of the interface as the widget does, and asks badly on purpose. Leaves a thread with three messages.
 * Never throws for what the server does: it becomes a finding.
 */
export async function verify(options: VerifyOptions): Promise<readonly Finding[]> {
  const settings: ProbeSettings = {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    token: options.token,
    productPath: options.productPath ?? 'hub',
    origin: options.origin ?? 'https://www.example.com',
    timeoutMs: options.timeoutMs ?? 60_000,
  };
  const findings = new Findings();
  const turn = await firstTurn(settings, options, findings);
  if (turn === 'nobody' || (turn && !isStream(turn, settings, findings))) return findings.list;
  const reading = turn && readStream(turn, settings.token, findings);
  if (turn && reading) {
    checkTurn(reading, turn, findings);
    checkPace(reading, turn, findings, options.silenceLimitMs ?? 20_000);
    checkHeaders(turn, findings);
    await checkSecondTurn(settings, options, reading, findings);
  }
  await checkCrossOrigin(settings, turn, findings);
  await checkErrors(settings, options.agentId, findings);
  await checkSmallEndpoints(settings, reading?.threadId, findings);
  const { runId, threadId, events = [] } = reading ?? {};
  await checkExtensions(settings, { agentId: options.agentId, runId, threadId }, findings);
  await checkResume(settings, { runId, ids: events.map(({ event }) => event.id) }, findings);
  return findings.list;
}

/**
 * The answer to the first run. Most checks need one, so a run that was dropped is told and asked for once more.
 * `undefined`: only other requests are answered. `nobody`: none is, and that is all there is to tell.
 */
async function firstTurn(
  settings: ProbeSettings,
  options: VerifyOptions,
  findings: Findings,
): Promise<ProbeResponse | 'nobody' | undefined> {
  const turn = await runTurn(settings, options, undefined, findings);
  if (turn) return turn;
  const silent = new Findings();
  const [again, preflight] = await Promise.all([
    runTurn(settings, options, undefined, silent),
    callEndpoint(settings, silent, 'connection', preflightOf(settings)),
  ]);
  if (again || preflight) return again;
  const [dropped] = findings.list.splice(0);
  findings.fault(
    'connection',
    `${settings.baseUrl}: ${dropped?.seen ?? 'no answer'}`,
    'Check the address, and that the server runs and can be reached from here.',
  );
  return 'nobody';
}

function runTurn(
  settings: ProbeSettings,
  options: VerifyOptions,
  threadId: string | undefined,
  findings: Findings,
): Promise<ProbeResponse | undefined> {
  const text = threadId === undefined ? (options.message ?? defaultMessage) : 'And once more, briefly.';
  return callEndpoint(settings, findings, threadId === undefined ? 'run' : 'second turn', {
    method: endpoints.runStream.method,
    path: endpoints.runStream.path(settings.productPath),
    headers: { accept: 'text/event-stream, application/x-ndjson;q=0.9, */*;q=0.1' },
    body: {
      agent_id: options.agentId,
      ...(threadId === undefined ? {} : { thread_id: threadId }),
      message: {
        role: 'user',
        content: [{ response_type: 'text', text }],
        additional_properties: { client_message_id: crypto.randomUUID() },
      },
      additional_parameters: { delay_ms: 25 },
    },
  });
}

function isStream(turn: ProbeResponse, settings: ProbeSettings, findings: Findings): boolean {
  const type = turn.headers.get('content-type') ?? 'no content type';
  const shown = excerpt(turn.text, settings.token);
  if (turn.status < 200 || turn.status > 299) {
    findings.fault('run', `answered ${turn.status}: ${shown}`, remedyFor(turn.status, settings));
    return false;
  }
  if (type.includes('html')) {
    findings.fault(
      'run',
      `a page came where a stream was due: ${shown}`,
      'Something before the service answered (a sign-in page, a proxy); let /api/ through to it.',
    );
    return false;
  }
  findings.ok('run', `${turn.status}, ${type}`);
  return true;
}

function remedyFor(status: number, { productPath }: ProbeSettings): string {
  if (status === 401) return 'Give a token that is good now.';
  if (status === 403) return 'Give a token with the right to run this agent from this origin.';
  if (status === 404) return `Check --agent-id, --base-url and --product-path (now "${productPath}").`;
  if (status === 405 || (status >= 300 && status < 400))
    return 'Serve POST /api/v1/{product}/runs/stream itself.';
  return 'See the log of the server.';
}

function checkHeaders(turn: ProbeResponse, findings: Findings): void {
  const cache = turn.headers.get('cache-control') ?? '';
  if (/no-store|no-cache/.test(cache)) findings.ok('caching', cache);
  else findings.advice('caching', 'Cache-Control is not set', 'Send Cache-Control: no-store.');
  const encoding = turn.headers.get('content-encoding');
  if (encoding) {
    findings.advice(
      'compression',
      `the stream is sent as ${encoding}`,
      'Switch it off: compression holds events back.',
    );
  }
}

async function checkSecondTurn(
  settings: ProbeSettings,
  options: VerifyOptions,
  first: StreamReading,
  findings: Findings,
): Promise<void> {
  if (first.threadId === undefined) return;
  const response = await runTurn(settings, options, first.threadId, findings);
  if (!response) return;
  const reading = readStream(response, settings.token, new Findings());
  if (response.status < 200 || response.status > 299 || reading.events.length === 0) {
    findings.fault(
      'second turn',
      `the same thread answered ${response.status}: ${excerpt(response.text, settings.token)}`,
      'Take the thread_id of the first turn’s events back in the next run.',
    );
  } else if (reading.threadId !== first.threadId) {
    findings.fault(
      'second turn',
      `it ran on another thread (${reading.threadId ?? 'none named'})`,
      'Go on with the thread_id of the request.',
    );
  } else if (reading.runId !== undefined && reading.runId === first.runId) {
    findings.fault('second turn', 'both runs have one run_id', 'Give each run an id of its own.');
  } else findings.ok('second turn', 'goes on with the same thread');
}
