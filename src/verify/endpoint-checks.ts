import { endpoints, extensionEndpoints } from '../protocol/index.ts';
import { isObject } from '../protocol/json.ts';
import { Findings } from './finding.ts';
import { callEndpoint, excerpt, type ProbeRequest, type ProbeResponse, type ProbeSettings } from './probe.ts';
import { readStream } from './stream-checks.ts';

const missingThread = '00000000-0000-4000-8000-000000000000';

/** Whether a body is an error of the interface: `detail` is a list of `loc`, `msg`, `type`, or a string. */
function hasDetail(response: ProbeResponse): boolean {
  try {
    const body: unknown = JSON.parse(response.text);
    const detail = isObject(body) ? body['detail'] : undefined;
    if (typeof detail === 'string') return true;
    return (
      Array.isArray(detail) &&
      detail.every((error: unknown) => isObject(error) && typeof error['msg'] === 'string')
    );
  } catch {
    return false;
  }
}

/** Sends invalid requests and checks the responses. */
export async function checkErrors(
  settings: ProbeSettings,
  agentId: string,
  findings: Findings,
): Promise<void> {
  const { method, path } = endpoints.runStream;
  const run = { method, path: path(settings.productPath) };
  const message = { role: 'user', content: [{ response_type: 'text', text: 'ping' }] };
  const body = { agent_id: agentId, message };
  const enough = (text: string): boolean => text.length > 2000;
  for (const [check, token] of [
    ['a request without a token', null],
    ['a request with a wrong token', 'wrong'],
  ] as const) {
    const response = await callEndpoint(settings, findings, check, { ...run, body, token, enough });
    if (!response) continue;
    if (response.status === 401) findings.ok(check, '401');
    else {
      findings.error(
        check,
        `answered ${response.status}`,
        'Respond with 401: the widget then requests a new token and repeats the turn.',
      );
    }
  }
  await expectProblem(settings, findings, 'a run without a message', {
    ...run,
    body: { agent_id: agentId },
    enough,
  });
  await expectProblem(settings, findings, 'a run that is not JSON', { ...run, body: '{"message":', enough });
  await expectNotFound(settings, findings, {
    check: 'an unknown agent',
    request: { ...run, body: { ...body, agent_id: 'no-such-agent' }, enough },
    remedy: 'Respond with 404, so developers notice a misspelt agent-id.',
  });
}

/** Sends a request about something that does not exist. A response other than 404 is advice, not an error. */
async function expectNotFound(
  settings: ProbeSettings,
  findings: Findings,
  options: { readonly check: string; readonly request: ProbeRequest; readonly remedy: string },
): Promise<void> {
  const { check, request, remedy } = options;
  const response = await callEndpoint(settings, findings, check, request);
  if (response?.status === 404) findings.ok(check, '404');
  else if (response) findings.advice(check, `answered ${response.status}`, remedy);
}

async function expectProblem(
  settings: ProbeSettings,
  findings: Findings,
  check: string,
  request: ProbeRequest,
): Promise<void> {
  const response = await callEndpoint(settings, findings, check, request);
  if (!response) return;
  if (response.status >= 500) {
    findings.error(
      check,
      `answered ${response.status}`,
      'Respond with 422 and a "detail" list; visitors retry after a 5xx.',
    );
  } else if (response.status < 400) {
    findings.error(check, `was accepted with ${response.status}`, 'Respond with 422 and a "detail" list.');
  } else if (!hasDetail(response)) {
    findings.error(
      check,
      `answered ${response.status} with ${excerpt(response.text, settings.token) || 'an empty body'}`,
      'Respond with {"detail":[{"loc":[…],"msg":"…","type":"…"}]}.',
    );
  } else findings.ok(check, `${response.status} with detail`);
}

/** Checks endpoints 3, 4 and 5. Leaves one message and no notifications behind. */
export async function checkSmallEndpoints(
  settings: ProbeSettings,
  threadId: string | undefined,
  findings: Findings,
): Promise<void> {
  const callback = (id: string): string => endpoints.postCallback.path(settings.productPath, id);
  const notifications = endpoints.createNotification.path();
  if (threadId === undefined) {
    findings.unknown('callback, notifications', 'no thread is known');
    return;
  }
  const content = [{ response_type: 'text', text: 'A message from agent-chat verify.' }];
  const posted = { role: 'user', content };
  await expectSuccess(settings, findings, 'callback', {
    method: 'POST',
    path: callback(threadId),
    body: posted,
  });
  const wrong = { role: 'user', content: 7 };
  await expectProblem(settings, findings, 'a callback of the wrong type', {
    method: 'POST',
    path: callback(threadId),
    body: wrong,
  });
  await expectNotFound(settings, findings, {
    check: 'a callback to an unknown thread',
    request: { method: 'POST', path: callback(missingThread), body: posted },
    remedy: 'Respond with 404, also for threads of other tenants.',
  });
  await expectSuccess(settings, findings, 'notification', {
    method: 'POST',
    path: notifications,
    body: { thread_id: threadId },
  });
  await expectProblem(settings, findings, 'a notification of the wrong type', {
    method: 'POST',
    path: notifications,
    body: { thread_id: 7 },
  });
  const path = endpoints.deleteNotifications.path(settings.productPath, threadId);
  await expectSuccess(settings, findings, 'deletion of notifications', { method: 'DELETE', path });
}

async function expectSuccess(
  settings: ProbeSettings,
  findings: Findings,
  check: string,
  request: ProbeRequest,
): Promise<void> {
  const response = await callEndpoint(settings, findings, check, request);
  if (!response) return;
  if (response.status === 403) findings.unknown(check, 'the token has no scope for it (403)');
  else if (response.status >= 200 && response.status < 300) findings.ok(check, String(response.status));
  else {
    findings.error(
      check,
      `answered ${response.status}: ${excerpt(response.text, settings.token)}`,
      `Serve ${request.method} ${request.path.replace(/[0-9a-f-]{36}/, '{thread_id}')}.`,
    );
  }
}

/**
 * Checks that a page of another origin may send requests and read the responses.
 * @param run the response to a run, if there was one
 */
export async function checkCrossOrigin(
  settings: ProbeSettings,
  run: ProbeResponse | undefined,
  findings: Findings,
): Promise<void> {
  const preflight = await callEndpoint(settings, findings, 'CORS, preflight', preflightOf(settings));
  if (preflight) checkPreflight(settings, preflight, findings);
  if (!run) return;
  if (isAllowed(settings, run)) findings.ok('CORS, answer', `${settings.origin} may read`);
  else {
    findings.error(
      'CORS, answer',
      `the stream carries no Access-Control-Allow-Origin for ${settings.origin}`,
      'Send it with every response, including errors; pages cannot read responses without it.',
    );
  }
  const exposed = (run.headers.get('access-control-expose-headers') ?? '').toLowerCase();
  if (exposed.includes('retry-after')) findings.ok('CORS, Retry-After', 'may be read');
  else {
    findings.advice(
      'CORS, Retry-After',
      'not exposed',
      'Send Access-Control-Expose-Headers: Retry-After, so visitors see when to try again.',
    );
  }
}

/** The preflight request of a run. */
export function preflightOf({ productPath }: ProbeSettings): ProbeRequest {
  return {
    method: 'OPTIONS',
    path: endpoints.runStream.path(productPath),
    token: null,
    headers: {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  };
}

function checkPreflight(settings: ProbeSettings, preflight: ProbeResponse, findings: Findings): void {
  const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase();
  const lacking = ['authorization', 'content-type'].filter((name) => !allowed.includes(name));
  const good = preflight.status >= 200 && preflight.status < 300 && isAllowed(settings, preflight);
  if (!good || lacking.length > 0) {
    findings.error(
      'CORS, preflight',
      good
        ? `${lacking.join(' and ')} not allowed in`
        : `answered ${preflight.status} without allowing ${settings.origin}`,
      'Respond to OPTIONS with Access-Control-Allow-Origin, -Methods, and -Headers: authorization, content-type (by name: * does not cover Authorization), without requiring a token.',
    );
  } else findings.ok('CORS, preflight', `${settings.origin} may ask`);
}

function isAllowed({ origin }: ProbeSettings, { headers }: ProbeResponse): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}

/** Checks which extensions the server offers. */
export async function checkExtensions(
  settings: ProbeSettings,
  known: {
    readonly agentId: string;
    readonly runId: string | undefined;
    readonly threadId: string | undefined;
  },
  findings: Findings,
): Promise<void> {
  const { productPath } = settings;
  const { agentId, runId, threadId } = known;
  const config = extensionEndpoints.getEmbeddedChatConfig.path(productPath, agentId);
  const offers = async (
    check: string,
    path: string,
    enough = (text: string) => text.length > 0,
  ): Promise<void> => {
    const response = await callEndpoint(settings, findings, check, { method: 'GET', path, enough });
    if (!response) return;
    const { status, headers } = response;
    const page = (headers.get('content-type') ?? '').includes('html');
    if (status >= 200 && status < 300 && !page) findings.ok(check, 'offered');
    else if (path === config && isNothingPublished(response)) {
      findings.ok(check, 'offered; nothing is published for this agent');
    } else findings.absent(check, `not offered (${status})`);
  };
  if (runId) await offers('replay of a run', extensionEndpoints.runEvents.path(productPath, runId));
  else findings.absent('replay of a run', 'no event names the run');
  if (threadId) {
    await offers('messages of a thread', extensionEndpoints.listMessages.path(productPath, threadId));
    await offers(
      'notifications of a thread',
      extensionEndpoints.listNotifications.path(productPath, threadId),
    );
  }
  await offers('published config', config);
}

/**
 * Whether the endpoint exists but has no config: its error is about the id, that of a missing route about the
 * path.
 */
function isNothingPublished({ status, text }: ProbeResponse): boolean {
  return status === 404 && /"loc":\s*\[\s*"path",\s*"id"\s*\]/.test(text);
}

/** Checks that a resumed stream continues after the given event and repeats none. */
export async function checkResume(
  settings: ProbeSettings,
  known: { readonly runId: string | undefined; readonly ids: readonly string[] },
  findings: Findings,
): Promise<void> {
  const { runId, ids } = known;
  const middle = ids[Math.floor(ids.length / 2)];
  if (runId === undefined || !middle) return;
  const path = extensionEndpoints.runEvents.path(settings.productPath, runId);
  const response = await callEndpoint(settings, findings, 'resume', {
    method: 'GET',
    path,
    headers: { 'last-event-id': middle, accept: 'application/x-ndjson' },
  });
  if (!response || response.status < 200 || response.status > 299) return;
  const { events } = readStream(response, settings.token, new Findings());
  const received = new Set(events.map(({ event }) => event.id));
  const next = ids.indexOf(middle) + 1;
  const missing = ids.slice(next).filter((id) => !received.has(id));
  const repeated = ids.slice(0, next).filter((id) => received.has(id));
  if (missing.length === 0 && repeated.length === 0)
    findings.ok('resume', 'continues after the last event id');
  else {
    findings.error(
      'resume',
      `after ${middle}: ${missing.length} events are missing, ${repeated.length} came again`,
      'Send exactly the events after Last-Event-ID, then follow the run.',
    );
  }
}
