import * as z from 'zod/mini';
import { toolsSchema } from '../tools/tool-settings.ts';
import { variableField } from '../setting-reader.ts';
import {
  headersField,
  readHeaders,
  textField,
  timeoutField,
  urlField,
  type AgentKindContext,
} from './agent-kind.ts';

/** Connection to a model service. */
export interface ModelSettings {
  /** `undefined`: the vendor's own. */
  readonly baseUrl: string | undefined;
  /** Query parameters of every request: those of `base_url`. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers of every request. They replace those of the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly systemPrompt: string | undefined;
  /** Whether answers start with reasoning without its opening tag. */
  readonly startsWithReasoning: boolean;
  /** Merged into every request, for upstream-specific fields; `null` removes a field. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Longest line of an answer, in bytes. */
  readonly eventLimit: number;
  /** How long the service may be silent, in ms. */
  readonly timeoutMs: number;
}

/** Models that think send nothing for minutes. */
const defaultTimeoutMs = 300_000;

/** The address of a model service; the library adds the endpoint to its path. */
export const modelUrlField = urlField.check(
  z.refine((value) => !/\/(chat\/completions|responses|v1\/messages)\/?(\?.*)?$/.test(value), {
    error: 'must end before the endpoint, such as /chat/completions',
  }),
);

/** Members of the entries of the model kinds. */
export const modelFields = {
  base_url: z.optional(modelUrlField),
  model: textField,
  api_key_env: z.optional(variableField),
  headers_env: headersField,
  system_prompt: z.optional(z.string()),
  extra_body: z.optional(z.looseObject({})),
  timeout: timeoutField,
  tools: z.optional(toolsSchema),
};

/** Returns the settings of an entry. @throws Error when a header is invalid */
export function readModelSettings(
  entry: z.infer<z.ZodMiniObject<typeof modelFields>> & {
    readonly starts_with_reasoning?: boolean | undefined;
  },
  context: AgentKindContext,
): ModelSettings {
  const { variable, eventLimit } = context;
  const [baseUrl, query] = entry.base_url?.split('?') ?? [];
  return {
    baseUrl,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: readHeaders(entry.headers_env, context),
    model: entry.model,
    apiKey: entry.api_key_env === undefined ? undefined : variable(entry.api_key_env),
    systemPrompt: entry.system_prompt,
    startsWithReasoning: entry.starts_with_reasoning ?? false,
    extraBody: entry.extra_body ?? {},
    eventLimit,
    timeoutMs: entry.timeout ?? defaultTimeoutMs,
  };
}
