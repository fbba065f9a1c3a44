import * as z from 'zod/mini';
import { durationField } from '../duration-field.ts';
import { maxTimeoutMs } from '../max-timeout.ts';
import { variableField } from '../setting-reader.ts';

const text = z.string().check(z.minLength(1));
const approval = z.enum(['never', 'writes', 'always'], { error: 'must be never, writes or always' });

const serverSchema = z
  .strictObject({
    name: z
      .string()
      .check(z.regex(/^[\w-]{1,40}$/, { error: 'must be at most 40 letters, digits, "_" or "-"' })),
    url: z.optional(
      z.string().check(
        z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
          error: 'must be an address starting with http:// or https://',
        }),
      ),
    ),
    headers_env: z.optional(z.record(z.string(), variableField)),
    command: z.optional(text),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.array(variableField)),
    approve: z.optional(approval),
    approve_tools: z.optional(z.record(z.string(), approval)),
    include: z.optional(z.array(text)),
    titles: z.optional(z.record(z.string(), text)),
  })
  .check(
    z.refine((server) => (server.url === undefined) !== (server.command === undefined), {
      error: 'must have either url or command',
    }),
    z.refine((server) => server.url === undefined || (server.args ?? server.env) === undefined, {
      error: 'must not have args or env beside url',
    }),
    z.refine((server) => server.command === undefined || server.headers_env === undefined, {
      error: 'must not have headers_env beside command',
    }),
  );

/** `tools` of an entry of the agents file. */
export const toolsSchema = z.strictObject({
  mcp_servers: z.optional(
    z.array(serverSchema).check(
      z.minLength(1, { error: 'must contain at least one server' }),
      z.refine((servers) => new Set(servers.map(({ name }) => name)).size === servers.length, {
        error: 'must not contain two servers with the same name',
      }),
    ),
  ),
  page_tools: z.optional(z.boolean()),
  max_steps: z.optional(
    z
      .int()
      .check(z.refine((value) => value >= 1 && value <= 100, { error: 'must be a number from 1 to 100' })),
  ),
  call_timeout: z.optional(durationField(maxTimeoutMs)),
  result_limit: z.optional(
    z.int().check(
      z.refine((value) => value >= 1_000 && value <= 1_048_576, {
        error: 'must be a number of bytes from 1000 to 1048576',
      }),
    ),
  ),
  expires: z.optional(durationField(maxTimeoutMs)),
  show_tool_details: z.optional(z.boolean()),
});
type ToolsEntry = z.infer<typeof toolsSchema>;

/** Which calls of a tool need the visitor's approval. `writes`: all but those of tools marked as read-only. */
export type ApprovalPolicy = z.infer<typeof approval>;

/** One MCP server, with secrets resolved. */
export interface ServerSettings {
  readonly name: string;
  /** Streamable HTTP, or a process that speaks MCP over stdio. */
  readonly transport:
    | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        /** Working directory. */
        readonly directory: string;
      };
  readonly approve: ApprovalPolicy;
  /** Policies of single tools, by the server's own name of the tool. */
  readonly approveTools: ReadonlyMap<string, ApprovalPolicy>;
  /** Names of the offered tools; `*` stands for any characters. `undefined`: all. */
  readonly include: readonly string[] | undefined;
  /** Titles for visitors, by the server's own name of the tool. */
  readonly titles: ReadonlyMap<string, string>;
}

/** The tools of an agent. */
export interface ToolSettings {
  readonly servers: readonly ServerSettings[];
  /** Whether the model is offered the tools that the visitor's page declares. */
  readonly pageTools: boolean;
  /** How often the model may call tools in a run before it is asked without them. */
  readonly maxSteps: number;
  /** Milliseconds without an answer or progress after which a call fails. */
  readonly callTimeoutMs: number;
  /** Bytes of a result's text that the model gets. */
  readonly resultLimit: number;
  /** Milliseconds after which an open decision counts as declined. */
  readonly decisionTtlMs: number;
  /** Whether arguments and results of calls are sent to the visitor. Decisions always show the arguments. */
  readonly showDetails: boolean;
}

/**
 * Reads the `tools` of an agent.
 * @param from.variable returns an environment variable
 */
export function readToolSettings(
  entry: ToolsEntry,
  from: {
    readonly directory: string;
    readonly variable: (name: string) => string;
    readonly playground: boolean;
  },
): ToolSettings {
  const { variable } = from;
  return {
    servers: (entry.mcp_servers ?? []).map((server) => ({
      name: server.name,
      transport:
        server.command === undefined
          ? {
              kind: 'http',
              url: server.url ?? '',
              headers: mapValues(server.headers_env ?? {}, variable),
            }
          : {
              kind: 'stdio',
              command: server.command,
              args: server.args ?? [],
              env: Object.fromEntries((server.env ?? []).map((name) => [name, variable(name)])),
              directory: from.directory,
            },
      approve: server.approve ?? 'writes',
      approveTools: new Map(Object.entries(server.approve_tools ?? {})),
      include: server.include,
      titles: new Map(Object.entries(server.titles ?? {})),
    })),
    pageTools: entry.page_tools ?? true,
    maxSteps: entry.max_steps ?? 8,
    callTimeoutMs: entry.call_timeout ?? 60_000,
    resultLimit: entry.result_limit ?? 65_536,
    decisionTtlMs: entry.expires ?? 86_400_000,
    showDetails: entry.show_tool_details ?? from.playground,
  };
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
