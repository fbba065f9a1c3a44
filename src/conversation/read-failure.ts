import { isObject } from '../protocol/json.ts';
import type { RunFailure } from './conversation.ts';
import { asObject, firstString, nonEmptyString, readText } from './read-values.ts';
import type { Fields } from './read-values.ts';

/**
 * Reads why a run failed from `error`, `last_error`, `message`, `detail` or `reason`, each a string, object or list.
 * @source wire, section 4
 */
export function readFailure(data: Fields): RunFailure {
  const sources = ['error', 'last_error', 'message', 'detail', 'reason'].map((key) => data[key] ?? undefined);
  // prefer a field with a text: `error` may be just `true`
  const source = sources.find((candidate) => reasonOf(candidate) !== '') ?? sources.find(isObject);
  const fields = asObject(source);
  const code = firstString(fields, 'code', 'type', 'status') ?? firstString(data, 'code');
  const guardrail = [data['reason'], fields['reason'], code].includes('guardrail');
  return {
    kind: guardrail ? 'guardrail' : kindOf(code),
    reason: reasonOf(source) || (guardrail ? (firstString(data, 'guardrail') ?? '') : ''),
    forVisitor: fields['audience'] === 'visitor' || undefined,
    retryable: !guardrail,
    retryAfter: seconds(data['retry_after'] ?? fields['retry_after']),
  };
}

/** @param code such as `429`, `rate_limit_exceeded`, `upstream_busy`, `server_is_overloaded` */
function kindOf(code = ''): RunFailure['kind'] {
  if (/^(429|rate.?limit)/i.test(code)) return 'rate-limit';
  return /busy|overloaded/i.test(code) ? 'busy' : 'run';
}

function reasonOf(source: unknown): string {
  if (Array.isArray(source)) return source.map(reasonOf).filter(Boolean).join('; ');
  if (!isObject(source)) return readText(source);
  for (const key of ['message', 'msg', 'detail', 'text', 'reason', 'description', 'error', 'code', 'type']) {
    const value = source[key];
    const text =
      typeof value === 'string' ? value : Array.isArray(value) || isObject(value) ? reasonOf(value) : '';
    if (text !== '') return text;
  }
  return '';
}

function seconds(value: unknown): number | undefined {
  const found = Number(nonEmptyString(value));
  return found >= 0 && found < Infinity ? found : undefined;
}
