import { agentKind } from '../agent-kind.ts';
import { modelFields, readModelSettings } from '../model-settings.ts';

/** A model of Anthropic, or of a service with its Messages API. */
export const anthropic = agentKind(modelFields, async (entry, context) =>
  (await import('../anthropic.ts')).anthropicAgent(
    readModelSettings(entry, context),
    await context.toolset(entry.tools),
  ),
);
