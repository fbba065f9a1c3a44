import type { SessionSettings } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import { readOption } from '../config/read-option.ts';

/**
 * What a session needs to know of a host element's settings; read anew for each run. Not `messageDefaults`: a message
 * has them before the page sees it, and what the page then takes out stays out.
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
