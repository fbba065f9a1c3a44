import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { missingPackage, serverPackages, versioned } from '../errors/server-packages.ts';
import { readJsonFile, SettingsError } from '../settings.ts';
import { problems } from '../errors/validation.ts';
import { readToolSettings, toolsSchema } from '../tools/tool-settings.ts';
import type { ToolReports, Toolset } from '../tools/toolset.ts';
import type { Agent, RegisteredAgent } from './agent.ts';
import { policyFields, policyOf, policySchema, type AgentPolicy } from './agent-policy.ts';
import { echoAgent } from './echo.ts';

const common = {
  ...policyFields,
  id: z
    .string()
    .check(z.regex(/^[\w.:-]{1,200}$/, { error: 'must be letters, digits, ".", ":", "_" or "-"' })),
  name: z.optional(z.string()),
  origins: z.optional(
    z.array(
      z.string().check(
        z.refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
          error: 'must be an origin, like https://shop.example',
        }),
      ),
    ),
  ),
};
const address = z.string().check(
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be an address starting with http:// or https://',
  }),
);

const tools = z.optional(toolsSchema);

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('scripted') }),
  z.strictObject({ ...common, kind: z.literal('echo') }),
  z.strictObject({ ...common, kind: z.literal('module'), module: z.string().check(z.minLength(1)), tools }),
  z.strictObject({ ...common, kind: z.literal('replay'), file: z.string().check(z.minLength(1)) }),
  z.strictObject({
    ...common,
    kind: z.literal('openai'),
    base_url: address,
    model: z.string().check(z.minLength(1)),
    api_key_env: z.optional(z.string()),
    system_prompt: z.optional(z.string()),
    extra_body: z.optional(z.looseObject({})),
    tools,
  }),
]);
const fileSchema = z.strictObject({
  defaults: z.optional(policySchema),
  agents: z.array(entrySchema).check(z.minLength(1, { error: 'must contain at least one agent' })),
});

type Entry = z.infer<typeof entrySchema>;

/** Creates an agent of each kind. To add a kind, add a row here, a file in this folder, and a test. */
const factories: {
  readonly [Kind in Entry['kind']]: (
    entry: Extract<Entry, { kind: Kind }>,
    from: LoadContext,
  ) => Agent | Promise<Agent>;
} = {
  scripted: (_entry, { scriptedAgent }) => {
    if (!scriptedAgent) throw new Error('the kind "scripted" is available in the agent-chat command only');
    return scriptedAgent;
  },
  echo: () => echoAgent,
  module: async (entry, from) =>
    (await import('./module.ts')).moduleAgent(
      resolve(from.directory, entry.module),
      await createToolset(entry, from),
    ),
  replay: async (entry, { directory }) =>
    (await import('./replay.ts')).replayAgent(resolve(directory, entry.file)),
  openai: async (entry, from) => {
    const { environment } = from;
    const apiKey = entry.api_key_env === undefined ? undefined : environment[entry.api_key_env];
    if (entry.api_key_env !== undefined && !apiKey)
      throw new Error(`the variable ${entry.api_key_env} is not set`);
    return (await import('./openai.ts')).openAiAgent(
      {
        baseUrl: entry.base_url,
        model: entry.model,
        apiKey,
        systemPrompt: entry.system_prompt,
        extraBody: entry.extra_body ?? {},
        eventLimit: from.eventLimit,
      },
      await createToolset(entry, from),
    );
  },
};

/** Creates the tools of an agent. The MCP library is loaded only when an agent has some. */
async function createToolset(
  entry: Extract<Entry, { kind: 'openai' | 'module' }>,
  from: LoadContext,
): Promise<Toolset | undefined> {
  if (!entry.tools) return undefined;
  const settings = readToolSettings(entry.tools, from);
  return new (await import('../tools/toolset.ts')).Toolset(settings, {
    ...from.toolReports,
    note: (text) => from.toolReports.note(`agent "${entry.id}": ${text}`),
  });
}

interface LoadContext {
  readonly defaults: AgentPolicy | undefined;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly scriptedAgent: Agent | undefined;
  readonly playground: boolean;
  readonly eventLimit: number;
  readonly toolReports: ToolReports;
}

/** Creates the agents that need no file: `demo`, where the scripted agent is available, and `echo`. */
function builtInAgents(scriptedAgent: Agent | undefined): readonly RegisteredAgent[] {
  const echo = { id: 'echo', name: 'Echo', kind: 'echo', origins: undefined, agent: echoAgent };
  if (!scriptedAgent) return [echo];
  return [
    { id: 'demo', name: 'Harbour Help', kind: 'scripted', origins: undefined, agent: scriptedAgent },
    echo,
  ];
}

/** What `loadAgents` uses besides the settings. */
export interface AgentLoading {
  /** Implements the kind `scripted`. The demo agent is not part of the library; the command passes it in. */
  readonly scriptedAgent?: Agent | undefined;
  /** Further built-in agents of the playground. */
  readonly playgroundAgents?: readonly RegisteredAgent[];
  /** Receives notes for the operator. */
  readonly note: (text: string) => void;
  /** Receives each tool call, for the metrics. */
  readonly toolCalled?: ToolReports['called'];
  /** Where `api_key_env` is looked up. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Loads the agents from `AGENTS_FILE`, or returns the built-in ones. The playground has both, the built-in ones first.
 * @throws SettingsError with the file and every error in it
 */
export async function loadAgents(
  settings: {
    readonly agentsFile: string | undefined;
    readonly playground: boolean;
    /** Bytes of one event; default: 4 MiB. */
    readonly eventLimit?: number;
  },
  {
    scriptedAgent,
    playgroundAgents = [],
    note,
    toolCalled = () => undefined,
    environment = process.env,
  }: AgentLoading,
): Promise<readonly RegisteredAgent[]> {
  const { agentsFile: file, playground } = settings;
  const builtIn = [...builtInAgents(scriptedAgent), ...(playground ? playgroundAgents : [])];
  if (file === undefined) {
    const names = builtIn.map(({ id }) => `"${id}"`).join(' and ');
    if (!playground) note(`AGENTS_FILE is not set: the only agents are ${names}`);
    return builtIn;
  }
  const { agents: entries, defaults } = readEntries(file);
  const agents = await createAll(file, entries, {
    defaults,
    directory: dirname(resolve(file)),
    environment,
    scriptedAgent,
    playground,
    eventLimit: settings.eventLimit ?? 4_194_304,
    toolReports: { note, called: toolCalled },
  });
  if (!playground) return agents;
  const ids = new Set(agents.map((agent) => agent.id));
  return [...builtIn.filter((agent) => !ids.has(agent.id)), ...agents];
}

function readEntries(file: string): z.infer<typeof fileSchema> {
  const value = readJsonFile('AGENTS_FILE', file);
  const result = z.safeParse(fileSchema, value);
  if (!result.success) {
    throw new SettingsError(
      result.error.issues.map((issue) => `AGENTS_FILE ${file}: ${describeIssue(issue, value)}`),
    );
  }
  const ids = result.data.agents.map((agent) => agent.id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined)
    throw new SettingsError([`AGENTS_FILE ${file}: two agents have the id "${twice}"`]);
  return result.data;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const place = issue.path.map(String).join('.') || 'the file';
  if (issue.code === 'unrecognized_keys') return `${place} has unknown members: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union') return `${place} must be one of ${Object.keys(factories).join(', ')}`;
  return problems(issue, [], value)
    .map((problem) => `${problem.loc.join('.') || 'the file'} ${problem.msg}`)
    .join('; ');
}

async function createAll(
  file: string,
  entries: readonly Entry[],
  from: LoadContext,
): Promise<RegisteredAgent[]> {
  const errors: string[] = [];
  const made: RegisteredAgent[] = [];
  for (const entry of entries) {
    try {
      // The table is keyed by the entry's kind; TypeScript cannot track that through the union.
      const create = factories[entry.kind] as (entry: Entry, from: LoadContext) => Agent | Promise<Agent>;
      const agent = await create(entry, from);
      made.push({
        id: entry.id,
        name: entry.name ?? entry.id,
        kind: entry.kind,
        origins: entry.origins,
        agent,
        policy: policyOf(
          { guardrails: entry.guardrails, llm_params: entry.llm_params, tenants: entry.tenants },
          from.defaults,
        ),
      });
    } catch (error) {
      errors.push(`AGENTS_FILE ${file}: agent "${entry.id}": ${reasonOf(error)}`);
    }
  }
  if (errors.length > 0) throw new SettingsError(errors);
  return made;
}

function reasonOf(error: unknown): string {
  const missing = missingPackage(error);
  if (missing !== undefined && Object.hasOwn(serverPackages, missing))
    return `needs the package "${missing}", which is missing: npm install ${versioned(missing)}`;
  return error instanceof Error ? error.message : String(error);
}
