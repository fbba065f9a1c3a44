import { runToolLoop } from '../tools/tool-loop.ts';
import type { Toolset } from '../tools/toolset.ts';
import { withItems, type Agent, type AgentEvent, type AgentRun } from './agent.ts';
import { runInModule, loadModule, runOutsideModules, type ModuleScope } from './module-scope.ts';

/**
 * Loads an agent from a module: its default export, or its export `run`, is an `async function*` that takes an
 * `AgentRun` and yields `AgentEvent`s. Messages of the run have their content as a list.
 * @param toolset the tools of `run.tools`
 * @throws Error when the module cannot be loaded or exports no such function.
 */
export async function moduleAgent(path: string, toolset?: Toolset): Promise<Agent> {
  const loaded = await loadModule(path);
  const run = loaded['default'] ?? loaded['run'];
  if (typeof run !== 'function') throw new Error('exports no function as its default or as "run"');
  return {
    usesTools: toolset !== undefined,
    close: async () => toolset?.close(),
    run: (agentRun: AgentRun): AsyncIterable<AgentEvent> => {
      const scope = { module: path, runId: agentRun.runId };
      const handed: AgentRun = {
        ...agentRun,
        message: withItems(agentRun.message),
        history: agentRun.history.map(withItems),
        nextCallback: () => runOutsideModules(agentRun.nextCallback),
        postLater: (milliseconds, message) =>
          runOutsideModules(() => agentRun.postLater(milliseconds, message)),
        ...(toolset
          ? { tools: { loop: (ask) => runToolLoop<AgentEvent>({ run: agentRun, toolset }, ask) } }
          : {}),
      };
      const events: unknown = runInModule(scope, () => Reflect.apply(run, undefined, [handed]) as unknown);
      if (typeof events === 'object' && events !== null && Symbol.asyncIterator in events) {
        return scoped(events as AsyncIterable<AgentEvent>, scope); // its events are checked one by one
      }
      throw new TypeError('the agent module returned nothing to iterate: it must be an async function*');
    },
  };
}

/** Requests each event within the scope of the module. */
function scoped(events: AsyncIterable<AgentEvent>, scope: ModuleScope): AsyncIterable<AgentEvent> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = runInModule(scope, () => events[Symbol.asyncIterator]());
      return {
        next: () => runInModule(scope, () => iterator.next()),
        return: async (value: unknown) =>
          (await runInModule(scope, () => iterator.return?.(value))) ?? { done: true, value },
      };
    },
  };
}
