import { agentKind } from '../agent-kind.ts';

/** The demo agent of the agent-chat command. */
export const scripted = agentKind({}, (_entry, { scriptedAgent }) => {
  if (!scriptedAgent) throw new Error('the kind "scripted" is available in the agent-chat command only');
  return scriptedAgent;
});
