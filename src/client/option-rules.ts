import type { AgentClientOptions, FollowOptions, ThreadListOptions } from './agent-client.ts';
import { durationRule, functionRule, type OptionRule, signalRule } from './validate-options.ts';

/** The options of `createAgentClient`. Does not compile if an option is missing. */
export const clientRules: Readonly<Record<keyof AgentClientOptions, OptionRule>> = {
  baseUrl: {
    allows: (value) => typeof value === 'string' || value instanceof URL,
    expected: 'an absolute URL',
  },
  tokenProvider: functionRule,
  fetch: functionRule,
  productPath: {
    allows: (value) => typeof value === 'string' && /^[\w.~-]+$/.test(value),
    expected: 'one path segment, like "hub"',
  },
  identifierPrefix: {
    allows: (value) => typeof value === 'string' && /^[\w-]*$/.test(value),
    expected: 'the beginning of a name, like "svc_"',
  },
  idleTimeout: durationRule,
  readInterval: durationRule,
  connectTimeout: durationRule,
  recordLimit: {
    allows: (value) => typeof value === 'number' && value > 0,
    expected: 'a number of bytes above 0',
  },
  onDiagnostic: functionRule,
};

/** The options of every method. */
export const requestRules = { signal: signalRule };
/** The options of methods that stream. */
export const streamRules = {
  ...requestRules,
  onOpen: functionRule,
  onRefused: functionRule,
  onActivity: functionRule,
};
/** The options of methods that follow a run or a thread. */
export const followRules: Readonly<Record<keyof FollowOptions, OptionRule>> = {
  ...streamRules,
  lastEventId: {
    allows: (value) => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value),
    expected: 'the id of an event, in ASCII',
  },
};

const textRule: OptionRule = { allows: (value) => typeof value === 'string', expected: 'a string' };
/** The options of a list of threads. */
export const threadListRules: Readonly<Record<keyof ThreadListOptions, OptionRule>> = {
  ...requestRules,
  query: textRule,
  before: textRule,
  limit: {
    allows: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1,
    expected: 'an integer, 1 or more',
  },
  archived: { allows: (value) => typeof value === 'boolean', expected: 'true or false' },
  agentId: textRule,
};
