import type { SessionSettings } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import type { HostOptions } from '../config/host-options.ts';
import { readOption } from '../config/read-option.ts';
import type { PageTools } from './page-tools/page-tools.ts';

/**
 * Reads the session's settings from the host element; called for each run. `messageDefaults` is not included: it is
 * merged before the page sees the message, so that the page can remove a default.
 */
export function createSessionSettings(host: ChatHost, tools?: PageTools): SessionSettings {
  const { agentId, environmentId, version, formSubmit, notifications } = host.config;
  const optional = {
    llmParams: readOption(host, 'llmParams'),
    guardrails: readOption(host, 'guardrails'),
    context: readOption(host, 'context'),
    contextVariables: readOption(host, 'contextVariables'),
    additionalParameters: withTools(readOption(host, 'additionalParameters'), tools?.parameters),
    version,
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    ...(agentId ? { agentId } : {}),
    ...(environmentId ? { environmentId } : {}),
    ...present,
    formSubmit,
    notifications: notifications === 'on',
  };
}

function withTools(
  parameters: HostOptions['additionalParameters'],
  tools: PageTools['parameters'],
): HostOptions['additionalParameters'] {
  return tools ? { ...parameters, ...tools } : parameters;
}
