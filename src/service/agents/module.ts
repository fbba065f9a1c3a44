import { isObject } from '../../protocol/json.ts';
import { markModuleError } from '../errors/module-errors.ts';
import { runToolLoop } from '../tools/tool-loop.ts';
import type { Toolset } from '../tools/toolset.ts';
import {
  ServiceFailure,
  markAuthorsWords,
  withItems,
  type Agent,
  type AgentEvent,
  type AgentRun,
  type ModuleRun,
} from './agent.ts';
import { runInModule, loadModule, runOutsideModules, type ModuleScope } from './module-scope.ts';
import { AnswerCheck } from './upstream/answer-check.ts';
import { UpstreamError } from './upstream/upstream-error.ts';

/**
 * Loads an agent from a module: its default export, or its export `run`, is an `AgentModule`.
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
      const handed: ModuleRun = {
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
      const events: unknown = marked(() =>
        runInModule(scope, () => Reflect.apply(run, undefined, [handed]) as unknown),
      );
      if (typeof events === 'object' && events !== null && Symbol.asyncIterator in events) {
        return scoped(events as AsyncIterable<AgentEvent>, scope, agentRun); // its events are checked one by one
      }
      throw new TypeError('the agent module returned nothing to iterate: it must be an async function*');
    },
  };
}

/** Requests each event within the scope of the module, and tells its author in the log what is wrong with the answer. */
function scoped(
  events: AsyncIterable<AgentEvent>,
  scope: ModuleScope,
  run: AgentRun,
): AsyncIterable<AgentEvent> {
  const within = <Result>(work: () => Result): Promise<Awaited<Result>> =>
    Promise.resolve(marked(() => runInModule(scope, work))).catch(rethrow);
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = marked(() => runInModule(scope, () => events[Symbol.asyncIterator]()));
      const answer = new AnswerCheck(run, { isExpected: true });
      return {
        next: async () => {
          const step = await within(() => iterator.next());
          if (step.done) {
            if (!run.signal.aborted) answer.end();
            return step;
          }
          const { value } = step;
          const kind: unknown = isObject(value) ? value['event'] : value && 'message.delta';
          if (typeof kind === 'string') answer.event({ event: kind });
          return { ...step, value: markAuthorsWords(value) };
        },
        return: async (value: unknown) =>
          (await within(() => iterator.return?.(value))) ?? { done: true, value },
      };
    },
  };
}

function marked<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    return rethrow(error);
  }
}

/** Marks an error as the module's own, unless it is one of the service's that passed through it, such as a model's. */
function rethrow(error: unknown): never {
  if (!(error instanceof UpstreamError || error instanceof ServiceFailure)) markModuleError(error);
  throw error;
}
