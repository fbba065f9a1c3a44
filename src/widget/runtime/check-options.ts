import { isObject } from '../../protocol/json.ts';
import type { ChatHost } from '../chat-host.ts';
import { hostOptionNames, type HostOptions } from '../config/host-options.ts';
import { readOption } from '../config/read-option.ts';
import { DiagnosticEvent } from '../events/element-events.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** Says what each option allows if its value, or a part of it, is ignored: now, and whenever one is set. */
export function checkOptions(host: ChatHost): void {
  const told = new Set<unknown>();
  const check = (): void => {
    for (const name of Object.keys(hostOptionNames) as (keyof HostOptions)[]) {
      const raw: unknown = host.option(name) ?? undefined;
      if (raw === undefined || told.has(raw) || isComplete(raw, readOption(host, name))) continue;
      told.add(raw);
      diagnose(host, 'invalid-option', `Allowed for ${name}: ${allowed[name]}.`);
    }
  };
  check();
  host.addEventListener(DiagnosticEvent.type, (event) => {
    if ((event as DiagnosticEvent).code === 'invalid-option') check();
  });
}

/** Whether a validated value has all that the page's value has. */
function isComplete(raw: unknown, valid: unknown): boolean {
  if (raw === valid) return true;
  if (Array.isArray(raw) && Array.isArray(valid))
    return raw.length === valid.length && raw.every((entry, index) => isComplete(entry, valid[index]));
  if (!isObject(raw) || !isObject(valid)) return false;
  return Object.entries(raw).every(([name, field]) => field === null || isComplete(field, valid[name]));
}

const allowed: Readonly<Record<keyof HostOptions, string>> = {
  tokenProvider: 'a function',
  messageDefaults: 'an object',
  header: 'an object { avatar, subtitle, disclaimer } of texts',
  starters: 'a list of { title, description, prompt, icon }, all texts; title is required',
  mentionables: 'a list of { id, name, type, description }, all texts; id, a UUID, and name are required',
  uploadDocument: 'a function',
  feedbackReasons: 'a list of texts',
  allowedOrigins:
    'an object { images, media, frames } of lists of origins such as "https://cdn.example.com"; images also "data:"',
  renderers: 'an object of functions, by response type',
  strings: 'an object of texts, or of plural forms { one, other }, by key',
  fetch: 'a function',
  llmParams: 'an object',
  guardrails: 'an object',
  context: 'an object',
  contextVariables: 'an object',
  additionalParameters: 'an object',
};
