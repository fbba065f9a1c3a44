import * as z from 'zod/mini';
import { toolsSchema } from '../../tools/tool-settings.ts';
import { agentKind, textField, urlField } from '../agent-kind.ts';

/** A service with OpenAI's chat-completions API: OpenAI, Gemini, Ollama, vLLM, LiteLLM, LM Studio. */
export const openai = agentKind(
  {
    base_url: urlField,
    model: textField,
    api_key_env: z.optional(z.string()),
    system_prompt: z.optional(z.string()),
    extra_body: z.optional(z.looseObject({})),
    tools: z.optional(toolsSchema),
  },
  async (entry, context) => {
    const apiKey = entry.api_key_env === undefined ? undefined : context.variable(entry.api_key_env);
    return (await import('../openai.ts')).openAiAgent(
      {
        baseUrl: entry.base_url,
        model: entry.model,
        apiKey,
        systemPrompt: entry.system_prompt,
        extraBody: entry.extra_body ?? {},
        eventLimit: context.eventLimit,
      },
      await context.toolset(entry.tools),
    );
  },
);
