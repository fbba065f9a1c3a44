import { dirname, resolve } from 'node:path';
import * as z from 'zod/mini';
import { missingPackage, serverPackages } from '../errors/missing-package.ts';
import { readJsonFile, SettingsError } from '../settings.ts';
import { problems } from '../errors/validation.ts';
import type { Agent, RegisteredAgent } from './agent.ts';
import { echoAgent } from './echo.ts';
import { scriptedAgent } from './scripted.ts';

const common = {
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

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('scripted') }),
  z.strictObject({ ...common, kind: z.literal('echo') }),
  z.strictObject({ ...common, kind: z.literal('module'), module: z.string().check(z.minLength(1)) }),
  z.strictObject({ ...common, kind: z.literal('replay'), file: z.string().check(z.minLength(1)) }),
  z.strictObject({
    ...common,
    kind: z.literal('openai'),
    base_url: address,
    model: z.string().check(z.minLength(1)),
    api_key_env: z.optional(z.string()),
    system_prompt: z.optional(z.string()),
    extra_body: z.optional(z.looseObject({})),
  }),
]);
const fileSchema = z.strictObject({
  agents: z.array(entrySchema).check(z.minLength(1, { error: 'must name an agent at least' })),
});

type Entry = z.infer<typeof entrySchema>;

/** How each kind is made. A new kind is a row here, a file beside this one, and a test. */
const makers: {
  readonly [Kind in Entry['kind']]: (
    entry: Extract<Entry, { kind: Kind }>,
    from: Surroundings,
  ) => Agent | Promise<Agent>;
} = {
  scripted: () => scriptedAgent,
  echo: () => echoAgent,
  module: async (entry, { directory }) =>
    (await import('./module.ts')).moduleAgent(resolve(directory, entry.module)),
  replay: async (entry, { directory }) =>
    (await import('./replay.ts')).replayAgent(resolve(directory, entry.file)),
  openai: async (entry, { environment }) => {
    const apiKey = entry.api_key_env === undefined ? undefined : environment[entry.api_key_env];
    if (entry.api_key_env !== undefined && !apiKey)
      throw new Error(`the variable ${entry.api_key_env} is not set`);
    return (await import('./openai.ts')).openAiAgent({
      baseUrl: entry.base_url,
      model: entry.model,
      apiKey,
      systemPrompt: entry.system_prompt,
      extraBody: entry.extra_body ?? {},
    });
  },
};

interface Surroundings {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The agents that need no file. */
export const builtInAgents: readonly RegisteredAgent[] = [
  { id: 'demo', name: 'Harbour Help', kind: 'scripted', origins: undefined, agent: scriptedAgent },
  { id: 'echo', name: 'Echo', kind: 'echo', origins: undefined, agent: echoAgent },
];

/**
 * Reads the agents: those of the file, or the built-in ones; the playground has both, the built-in ones first.
 * @throws SettingsError naming the file and every fault in it.
 */
export async function loadAgents(
  settings: { readonly agentsFile: string | undefined; readonly playground: boolean },
  note: (text: string) => void,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<readonly RegisteredAgent[]> {
  const { agentsFile: file, playground } = settings;
  if (file === undefined) {
    if (!playground) note('no AGENTS_FILE is set: the service has the agents "demo" and "echo" only');
    return builtInAgents;
  }
  const entries = readEntries(file);
  const made = await makeAll(file, entries, { directory: dirname(resolve(file)), environment });
  if (!playground) return made;
  const taken = new Set(made.map((agent) => agent.id));
  return [...builtInAgents.filter((agent) => !taken.has(agent.id)), ...made];
}

function readEntries(file: string): readonly Entry[] {
  const value = readJsonFile('AGENTS_FILE', file);
  const result = z.safeParse(fileSchema, value);
  if (!result.success) {
    throw new SettingsError(
      result.error.issues.map((issue) => `AGENTS_FILE ${file}: ${faultOf(issue, value)}`),
    );
  }
  const ids = result.data.agents.map((agent) => agent.id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined)
    throw new SettingsError([`AGENTS_FILE ${file}: two agents have the id "${twice}"`]);
  return result.data.agents;
}

function faultOf(issue: z.core.$ZodIssue, value: unknown): string {
  const place = issue.path.map(String).join('.') || 'the file';
  if (issue.code === 'unrecognized_keys') return `${place} has unknown members: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union') return `${place} must be one of ${Object.keys(makers).join(', ')}`;
  return problems(issue, [], value)
    .map((problem) => `${problem.loc.join('.') || 'the file'} ${problem.msg}`)
    .join('; ');
}

async function makeAll(
  file: string,
  entries: readonly Entry[],
  from: Surroundings,
): Promise<RegisteredAgent[]> {
  const faults: string[] = [];
  const made: RegisteredAgent[] = [];
  for (const entry of entries) {
    try {
      // The table is keyed by the entry's own kind, which the compiler cannot follow through a union.
      const make = makers[entry.kind] as (entry: Entry, from: Surroundings) => Agent | Promise<Agent>;
      const agent = await make(entry, from);
      made.push({
        id: entry.id,
        name: entry.name ?? entry.id,
        kind: entry.kind,
        origins: entry.origins,
        agent,
      });
    } catch (fault) {
      faults.push(`AGENTS_FILE ${file}: agent "${entry.id}": ${reasonOf(fault)}`);
    }
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return made;
}

function reasonOf(fault: unknown): string {
  const missing = missingPackage(fault);
  if (missing !== undefined && serverPackages.includes(missing))
    return `needs the package "${missing}", which is missing: npm install ${missing}`;
  return fault instanceof Error ? fault.message : String(fault);
}
