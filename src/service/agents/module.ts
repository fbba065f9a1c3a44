import { pathToFileURL } from 'node:url';
import type { Agent, AgentEvent, AgentRun } from './agent.ts';

/**
 * Loads an agent from a module: its default export, or its export `run`, is an `async function*` that takes an
 * `AgentRun` and yields `AgentEvent`s.
 * @throws Error when the module cannot be loaded or exports no such function.
 */
export async function moduleAgent(path: string): Promise<Agent> {
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>; // checked below
  const run = loaded['default'] ?? loaded['run'];
  if (typeof run !== 'function') throw new Error('exports no function as its default or as "run"');
  return {
    run: (agentRun: AgentRun): AsyncIterable<AgentEvent> => {
      const events: unknown = Reflect.apply(run, undefined, [agentRun]);
      if (typeof events === 'object' && events !== null && Symbol.asyncIterator in events) {
        return events as AsyncIterable<AgentEvent>; // what it yields is checked as it comes
      }
      throw new TypeError('the agent module gave nothing to iterate: it must be an async function*');
    },
  };
}
