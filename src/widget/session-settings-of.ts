import type { SessionSettings } from '../session/index.ts';
import type { AgentChat } from './agent-chat.ts';

/** What a session needs to know of a host element's settings; read anew for each run. */
export function sessionSettingsOf(host: AgentChat): SessionSettings {
  const { agentId, environmentId, version, formSubmit, notifications } = host.config;
  const optional = {
    llmParams: host.option('llmParams'),
    guardrails: host.option('guardrails'),
    context: host.option('context'),
    contextVariables: host.option('contextVariables'),
    additionalParameters: host.option('additionalParameters'),
    messageDefaults: host.option('messageDefaults'),
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
