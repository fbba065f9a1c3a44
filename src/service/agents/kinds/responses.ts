import { agentKind } from '../agent-kind.ts';
import { modelFields, readModelSettings } from '../model-settings.ts';

/** A service with OpenAI's Responses API, or an Open Responses service. */
export const responses = agentKind(modelFields, async (entry, context) =>
  (await import('../responses.ts')).responsesAgent(
    readModelSettings(entry, context),
    await context.toolset(entry.tools),
  ),
);
