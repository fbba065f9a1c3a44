import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { missingPackage, serverPackages, versioned } from '../errors/server-packages.ts';
import { readSecret } from '../setting-reader.ts';
import { readJsonFile, SettingsError } from '../settings.ts';
import { problems } from '../errors/validation.ts';
import { readToolSettings } from '../tools/tool-settings.ts';
import type { ToolReports } from '../tools/toolset.ts';
import type { Agent, RegisteredAgent } from './agent.ts';
import type { AgentKindContext } from './agent-kind.ts';
import { agentKinds } from './agent-kinds.ts';
import { LogThrottle } from '../log-throttle.ts';
import { policyFields, policyOf, policySchema, type AgentPolicy } from './agent-policy.ts';
import { echoAgent } from './echo.ts';

/** Members of every agent. */
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
type Entry = z.infer<z.ZodMiniObject<typeof common & { kind: z.ZodMiniString }>>;

const [firstSchema, ...otherSchemas] = Object.entries(agentKinds).map(([kind, { fields }]) =>
  z.strictObject({ ...common, ...fields, kind: z.literal(kind) }),
);
if (!firstSchema) throw new Error('there are no kinds of agents');
const entrySchema = z.discriminatedUnion('kind', [firstSchema, ...otherSchemas]);
const fileSchema = z.strictObject({
  defaults: z.optional(policySchema),
  agents: z.array(entrySchema).check(z.minLength(1, { error: 'must contain at least one agent' })),
});

interface LoadContext {
  readonly defaults: AgentPolicy | undefined;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly scriptedAgent: Agent | undefined;
  readonly playground: boolean;
  readonly eventLimit: number;
  readonly hasBiasDetector: boolean;
  readonly toolReports: ToolReports;
  readonly uses: (file: string) => void;
}

/**
 * Returns what a kind uses to create one agent.
 * @param onMissing receives what is wrong with each variable, so that the operator sees all at once
 */
function kindContext(id: string, from: LoadContext, onMissing: (problem: string) => void): AgentKindContext {
  const { directory, environment, eventLimit, scriptedAgent, toolReports, uses } = from;
  const variable = (name: string): string => {
    try {
      const value = readSecret(environment, name);
      if (value) return value;
      onMissing(`the variable ${name} is not set`);
    } catch (error) {
      onMissing(reasonOf(error));
    }
    return '';
  };
  return {
    id,
    eventLimit,
    scriptedAgent,
    file: (path) => {
      const file = resolve(directory, path);
      uses(file);
      return file;
    },
    variable,
    toolset: async (tools = {}) => {
      const settings = readToolSettings(tools, { ...from, variable });
      const texts = new LogThrottle();
      const note = (text: string): void => {
        if (texts.admits(text)) toolReports.note(`agent "${id}": ${text}`);
      };
      const { Toolset } = await import('../tools/toolset.ts');
      return Toolset.open(settings, { ...toolReports, note });
    },
  };
}

/** Creates the agents that need no file: `demo`, where the scripted agent is available, and `echo`. */
function builtInAgents(
  scriptedAgent: Agent | undefined,
  { playground }: { readonly playground: boolean },
): readonly RegisteredAgent[] {
  // the playground's page plays the server that posts to a thread
  const common = { origins: undefined, ...(playground ? { policy: { roles: ['user', 'assistant'] } } : {}) };
  const echo = { id: 'echo', name: 'Echo', kind: 'echo', agent: echoAgent, ...common };
  if (!scriptedAgent) return [echo];
  return [{ id: 'demo', name: 'Harbour Help', kind: 'scripted', agent: scriptedAgent, ...common }, echo];
}

/** What `loadAgents` uses besides the settings. */
export interface AgentLoading {
  /** Implements the kind `scripted`. The demo agent is not part of the library; the command passes it in. */
  readonly scriptedAgent?: Agent | undefined;
  /** Further built-in agents of the playground. */
  readonly playgroundAgents?: readonly RegisteredAgent[];
  /** Receives notes for the operator. */
  readonly note: (text: string) => void;
  /** Receives the path of each module and recording. */
  readonly uses?: (file: string) => void;
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
    readonly socialBiasDetectorUrl?: string | undefined;
  },
  {
    scriptedAgent,
    playgroundAgents = [],
    note,
    uses = () => undefined,
    toolCalled = () => undefined,
    environment = process.env,
  }: AgentLoading,
): Promise<readonly RegisteredAgent[]> {
  const { agentsFile: file, playground } = settings;
  const builtIn = [...builtInAgents(scriptedAgent, { playground }), ...(playground ? playgroundAgents : [])];
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
    hasBiasDetector: settings.socialBiasDetectorUrl !== undefined,
    toolReports: { note, called: toolCalled },
    uses,
  });
  if (!playground) return agents;
  const ids = new Set(agents.map((agent) => agent.id));
  return [...builtIn.filter((agent) => !ids.has(agent.id)), ...agents];
}

function readEntries(file: string): { agents: readonly Entry[]; defaults?: AgentPolicy | undefined } {
  const value = readJsonFile('AGENTS_FILE', file);
  const result = z.safeParse(fileSchema, value);
  if (!result.success) {
    throw new SettingsError(
      result.error.issues.map((issue) => `AGENTS_FILE ${file}: ${describeIssue(issue, value)}`),
    );
  }
  const ids = result.data.agents.map((agent) => agent.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new SettingsError([`AGENTS_FILE ${file}: two agents have the id "${twice}"`]);
  // each entry has the common members, whatever its kind
  return { agents: result.data.agents as Entry[], defaults: result.data.defaults };
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.path.length === 0 && issue.code === 'invalid_type')
    return 'the file must be an object, like {"agents":[…]}';
  const location = issue.path.map(String).join('.') || 'the file';
  if (issue.code === 'unrecognized_keys') return `${location} has unknown members: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union')
    return `${location} must be one of ${Object.keys(agentKinds).join(', ')}`;
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
  const agents: RegisteredAgent[] = [];
  for (const entry of entries) {
    const wrong = new Set<string>();
    try {
      const kind = agentKinds[entry.kind];
      if (!kind) throw new Error(`there is no kind "${entry.kind}"`);
      const policy = policyOf(entry, from.defaults);
      const { input, output } = policy.guardrails?.social_bias ?? {};
      if ((input?.enabled || output?.enabled) && !from.hasBiasDetector)
        throw new Error('the guardrail "social_bias" needs a detector: set SOCIAL_BIAS_DETECTOR_URL');
      const agent = await kind.create(
        entry,
        kindContext(entry.id, from, (problem) => wrong.add(problem)),
      );
      agents.push({
        id: entry.id,
        name: entry.name ?? entry.id,
        kind: entry.kind,
        origins: entry.origins,
        agent,
        policy,
      });
    } catch (error) {
      wrong.add(reasonOf(error));
    }
    for (const problem of wrong) errors.push(`AGENTS_FILE ${file}: agent "${entry.id}": ${problem}`);
  }
  if (errors.length > 0) throw new SettingsError(errors);
  return agents;
}

function reasonOf(error: unknown): string {
  const missing = missingPackage(error);
  if (missing !== undefined && Object.hasOwn(serverPackages, missing))
    return `needs the package "${missing}", which is missing: npm install ${versioned(missing)}`;
  return error instanceof Error ? error.message : String(error);
}
