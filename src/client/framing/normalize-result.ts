import type { RunEvent } from '../../protocol/index.ts';
import { isObject, own, present } from '../../protocol/json.ts';

type JsonObject = Record<string, unknown>;

const pendingStatuses: ReadonlySet<unknown> = new Set([
  'queued',
  'pending',
  'running',
  'in_progress',
  'started',
]);
const endings: Readonly<Record<string, string>> = {
  failed: 'run.failed',
  error: 'run.failed',
  expired: 'run.expired',
  cancelled: 'run.cancelled',
  canceled: 'run.cancelled',
};

/**
 * Converts a plain JSON object into events: a run's result into a message and the end of the run, an error body into an
 * `error`, a chat-completion delta into a `message.delta`.
 * @returns undefined for any other object
 * @assumed which members a result has: those of hosted services and of chat-completion bodies
 */
export function normalizeResult(body: JsonObject): RunEvent[] | undefined {
  const choice = firstChoice(body);
  if (choice !== undefined && isObject(choice['delta'])) return [event('message.delta', body)];

  const ids = {
    run_id: body['run_id'] ?? (body['status'] === undefined ? undefined : body['id']),
    agent_id: body['agent_id'],
    thread_id: body['thread_id'],
  };
  const ending = typeof body['status'] === 'string' ? own(endings, body['status']) : undefined;
  const message = resultMessage(body, choice);
  const refusal = body['detail'] ?? body['error'] ?? (message === undefined ? refusalText(body) : undefined);
  if (refusal !== undefined && ending === undefined && message === undefined) return [event('error', body)];

  const events: RunEvent[] = [];
  if (message !== undefined) {
    const messageId = message['id'] ?? body['message_id'];
    events.push(event('message.created', { ...ids, agent_id: undefined, message_id: messageId, message }));
  }
  if (ending !== undefined) events.push(event(ending, { ...body, ...present(ids) }));
  else if (message !== undefined) events.push(event('run.completed', { ...ids, context: context(body) }));
  else if (pendingStatuses.has(body['status']) || (ids.run_id !== undefined && ids.thread_id !== undefined)) {
    events.push(event(body['status'] === 'completed' ? 'run.completed' : 'run.started', { ...ids }));
  }
  return events.length > 0 ? events : undefined;
}

function event(name: string, data: JsonObject): RunEvent {
  return { id: '', event: name, data: present(data) };
}

function context(body: JsonObject): unknown {
  return isObject(body['context']) ? body['context'] : undefined;
}

function firstChoice(body: JsonObject): JsonObject | undefined {
  const choices = body['choices'];
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? first : undefined;
}

/** The text of a gateway's error, such as `{"message": "Forbidden"}`, which has neither a run nor a role. */
function refusalText(body: JsonObject): unknown {
  const belongsToRun = body['run_id'] ?? body['thread_id'] ?? body['role'] ?? body['status'];
  return typeof body['message'] === 'string' && typeof belongsToRun !== 'string'
    ? body['message']
    : undefined;
}

function resultMessage(body: JsonObject, choice: JsonObject | undefined): JsonObject | undefined {
  const result = body['result'];
  const data = isObject(result) ? result['data'] : body['data'];
  const places = [
    body['message'],
    isObject(data) ? data['message'] : undefined,
    isObject(result) ? result['message'] : undefined,
    choice?.['message'],
    body['role'] !== undefined && body['content'] !== undefined ? body : undefined,
  ];
  const found = places.find(isObject);
  if (found !== undefined) return { ...found, role: found['role'] ?? 'assistant' };
  const text = [result, body['output']].find((value) => typeof value === 'string');
  if (typeof text !== 'string') return undefined;
  return { role: 'assistant', content: [{ response_type: 'text', text }] };
}
