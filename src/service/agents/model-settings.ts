import * as z from 'zod/mini';
import { toolsSchema } from '../tools/tool-settings.ts';
import { textField, urlField, type AgentKindContext } from './agent-kind.ts';

/** Connection to a model service. */
export interface ModelSettings {
  /** `undefined`: the vendor's own. */
  readonly baseUrl: string | undefined;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly systemPrompt: string | undefined;
  /** Merged into every request, for upstream-specific fields; `null` removes a field. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Longest line of an answer, in bytes. */
  readonly eventLimit: number;
}

/** Members of the entries of the model kinds. */
export const modelFields = {
  base_url: z.optional(urlField),
  model: textField,
  api_key_env: z.optional(z.string()),
  system_prompt: z.optional(z.string()),
  extra_body: z.optional(z.looseObject({})),
  tools: z.optional(toolsSchema),
};

/** Returns the settings of an entry. @throws Error when the variable of the key is not set */
export function readModelSettings(
  entry: z.infer<z.ZodMiniObject<typeof modelFields>>,
  { variable, eventLimit }: AgentKindContext,
): ModelSettings {
  return {
    baseUrl: entry.base_url,
    model: entry.model,
    apiKey: entry.api_key_env === undefined ? undefined : variable(entry.api_key_env),
    systemPrompt: entry.system_prompt,
    extraBody: entry.extra_body ?? {},
    eventLimit,
  };
}
