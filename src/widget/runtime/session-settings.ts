import type { SessionSettings } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import { readOption } from '../config/read-option.ts';

/**
 * Reads the session's settings from the host element; called for each run. `messageDefaults` is not included: it is
 * merged before the page sees the message, so that the page can remove a default.
 */
export function createSessionSettings(host: ChatHost): SessionSettings {
  const { agentId, environmentId, version, formSubmit, notifications } = host.config;
  const optional = {
    llmParams: readOption(host, 'llmParams'),
    guardrails: readOption(host, 'guardrails'),
    context: readOption(host, 'context'),
    contextVariables: readOption(host, 'contextVariables'),
    additionalParameters: readOption(host, 'additionalParameters'),
    version,
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    ...(agentId ? { agentId } : {}),
    ...(environmentId ? { environmentId } : {}),
    ...given,
    formSubmit,
    notifications: notifications === 'on',
  };
}
