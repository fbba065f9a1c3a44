import { endpoints } from '../protocol/index.ts';
import {
  checkCrossOrigin,
  checkErrors,
  checkExtensions,
  checkResume,
  checkSmallEndpoints,
  preflightOf,
} from './endpoint-checks.ts';
import { Findings, type Finding } from './finding.ts';
import { callEndpoint, excerpt, type ProbeResponse, type ProbeSettings } from './probe.ts';
import { checkPace, checkTurn, readStream, type StreamReading } from './stream-checks.ts';

/** The server to verify, with limits. */
export interface VerifyOptions {
  /** Root URL of the server. */
  readonly baseUrl: string;
  readonly agentId: string;
  readonly token: string;
  /** Path segment of the deployment. Default `hub`. */
  readonly productPath?: string;
  /** Origin of the page with the widget. Default `https://www.example.com`. */
  readonly origin?: string;
  /** The message to send; a longer answer checks buffering better. */
  readonly message?: string;
  /** Time limit of a response. Default 60 000. */
  readonly timeoutMs?: number;
  /** Longest acceptable silence. Default 20 000. */
  readonly silenceLimitMs?: number;
}

const defaultMessage =
  'Hello. Please answer in a few sentences, with some words in other scripts: naïve, 東京, 👩‍🚀. This is a check of the connection.';

/**
 * Verifies a server: sends the widget's requests and some invalid ones. Leaves a thread with three messages.
 * Errors of the server become findings; it never throws for them.
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
    checkTurn(reading, turn, settings.token, findings);
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
 * Returns the response to the first run. Most checks need one, so a dropped run is reported and repeated
 * once. `undefined`: only other requests get responses. `nobody`: no request gets one.
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
  findings.error(
    'connection',
    `${settings.baseUrl}: ${dropped?.seen ?? 'no answer'}`,
    'Check the address, and that the server is running and reachable from here.',
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
    findings.error('run', `answered ${turn.status}: ${shown}`, remedyFor(turn.status, settings));
    return false;
  }
  if (type.includes('html')) {
    findings.error(
      'run',
      `the response is an HTML page instead of a stream: ${shown}`,
      'Something in front of the service responded (a sign-in page, a proxy); route /api/ to the service.',
    );
    return false;
  }
  findings.ok('run', `${turn.status}, ${type}`);
  return true;
}

function remedyFor(status: number, { productPath }: ProbeSettings): string {
  if (status === 401) return 'Use a valid token.';
  if (status === 403) return 'Use a token that may run this agent from this origin.';
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
      'Disable it: compression delays events.',
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
    findings.error(
      'second turn',
      `the same thread answered ${response.status}: ${excerpt(response.text, settings.token)}`,
      'Accept the thread_id of the first turn’s events in the next run.',
    );
  } else if (reading.threadId !== first.threadId) {
    findings.error(
      'second turn',
      `it ran on another thread (${reading.threadId ?? 'none named'})`,
      'Use the thread_id of the request.',
    );
  } else if (reading.runId !== undefined && reading.runId === first.runId) {
    findings.error('second turn', 'both runs have one run_id', 'Give each run a unique id.');
  } else findings.ok('second turn', 'continues the same thread');
}
