import * as z from 'zod/mini';
import { durationField } from '../duration-field.ts';
import { variableField } from '../setting-reader.ts';
import type { toolsSchema } from '../tools/tool-settings.ts';
import type { Toolset } from '../tools/toolset.ts';
import type { Agent } from './agent.ts';

/** What a kind uses to create an agent. */
export interface AgentKindContext {
  /** The agent's id. */
  readonly id: string;
  /** Returns the path of a file that the entry names. When the file changes, the agents are loaded again. */
  readonly file: (path: string) => string;
  /** Longest part of an upstream answer, in bytes. */
  readonly eventLimit: number;
  /** Implements the kind `scripted`; absent outside the agent-chat command. */
  readonly scriptedAgent: Agent | undefined;
  /** Returns an environment variable. One that is not set is reported, and no agent is created then. */
  readonly variable: (name: string) => string;
  /** Creates the tools of an agent, for `runToolLoop`. Without `tools`, it has those of the visitor's page. */
  readonly toolset: (tools: z.infer<typeof toolsSchema> | undefined) => Promise<Toolset>;
}

/** One kind of agent. */
export interface AgentKind {
  /** Members of an entry of the agents file, besides those that every kind has. */
  readonly fields: Readonly<Record<string, z.core.$ZodType>>;
  /** Creates an agent from an entry that fits `fields`. Libraries that only this kind needs are loaded here. */
  readonly create: (entry: object, context: AgentKindContext) => Agent | Promise<Agent>;
}

/** Declares a kind. To add one: an entry in `agent-kinds.ts`, the agent in a file of this folder, and a test. */
export function agentKind<Fields extends Readonly<Record<string, z.core.$ZodType>>>(
  fields: Fields,
  create: (entry: z.infer<z.ZodMiniObject<Fields>>, context: AgentKindContext) => Agent | Promise<Agent>,
): AgentKind {
  // The loader validates an entry against `fields` before it calls `create`.
  return { fields, create: create as AgentKind['create'] };
}

/** A member that is a non-empty string. */
export const textField = z.string().check(z.minLength(1));

/** A member that is the URL of an upstream. */
export const urlField = z.string().check(
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be an address starting with http:// or https://',
  }),
);

/** Request headers, by name, with the names of the environment variables that hold their values. */
export const headersField = z.optional(z.record(z.string(), variableField));

/** How long upstream may send no byte, in ms. @assumed at most 5 minutes: fetch gives up then */
export const timeoutField = z.optional(durationField(300_000));
export const defaultTimeoutMs = 120_000;

/** Returns request headers with their values. @throws Error when a header is invalid */
export function readHeaders(
  headers: Readonly<Record<string, string>> = {},
  { variable }: AgentKindContext,
): Record<string, string> {
  const values = Object.entries(headers).map(([name, from]) => [name, variable(from)] as const);
  for (const [name, value] of values) {
    try {
      new Headers([[name, value]]);
    } catch {
      // the platform's message would quote the value
      throw new Error(`the header "${name}" of headers_env cannot be sent: its name or value is invalid`);
    }
  }
  return Object.fromEntries(values);
}
