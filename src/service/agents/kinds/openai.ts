import { agentKind, urlField } from '../agent-kind.ts';
import { modelFields, readModelSettings } from '../model-settings.ts';

/** A service with OpenAI's chat-completions API: OpenAI, Gemini, Ollama, vLLM, LiteLLM, LM Studio. */
export const openai = agentKind({ ...modelFields, base_url: urlField }, async (entry, context) =>
  (await import('../openai.ts')).openAiAgent(
    readModelSettings(entry, context),
    await context.toolset(entry.tools),
  ),
);
