import { isObject } from '../../protocol/json.ts';
import { markModuleError } from '../errors/module-errors.ts';
import type { RequestedCall } from '../tools/tool-call.ts';
import { runToolLoop, type AskModel } from '../tools/tool-loop.ts';
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

/** What the author of a module did wrong, in the service's words: the log may show it. */
class MisuseError extends TypeError {}

/**
 * Loads an agent from a module: its default export, or its export `run`, is an `AgentModule`.
 * @param toolset the tools of `run.tools`
 * @throws Error when the module cannot be loaded or exports no such function.
 */
export async function moduleAgent(path: string, toolset?: Toolset): Promise<Agent> {
  const loaded = await loadModule(path);
  const run = loaded['default'] ?? loaded['run'];
  if (typeof run !== 'function') throw new Error(whyNoFunction(run));
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
          ? { tools: { loop: (ask) => runToolLoop<AgentEvent>({ run: agentRun, toolset }, checked(ask)) } }
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

/** TypeScript writes CommonJS where no package.json says otherwise. */
function whyNoFunction(exported: unknown): string {
  const isCommonJs = isObject(exported) && typeof exported['default'] === 'function';
  return isCommonJs
    ? 'is compiled to CommonJS: set "type": "module" in its package.json, and compile it again'
    : 'exports no function as its default or as "run"';
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
            if (step.value !== undefined)
              run.warn('the module returned a value, which was left out: an answer is what it yields');
            if (!run.signal.aborted) answer.end();
            return step;
          }
          const { value } = step;
          if (typeof value === 'string') {
            if (value !== '') answer.event({ event: 'message.delta', data: { delta: value } });
          } else if (isObject(value) && typeof value['event'] === 'string') answer.event(value);
          return { ...step, value: markAuthorsWords(value) };
        },
        return: async (value: unknown) =>
          (await within(() => iterator.return?.(value))) ?? { done: true, value },
      };
    },
  };
}

/** Says what a module must pass to the loop: the errors of what comes after would not. */
function checked(ask: AskModel<AgentEvent>): AskModel<AgentEvent> {
  return async function* (step) {
    const answer = ask(step);
    if (!(Symbol.asyncIterator in answer))
      throw new MisuseError('run.tools.loop must get an async function*');
    const calls: unknown = yield* answer;
    if (calls == null) return [];
    if (!Array.isArray(calls) || !calls.every((call) => isObject(call) && typeof call['name'] === 'string'))
      throw new MisuseError(
        'the function of run.tools.loop must return a list of { name, args }, or nothing',
      );
    return calls as RequestedCall[];
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
  // the log would show nothing of another value
  if (!(error instanceof Error))
    throw new MisuseError('the module threw a value that is no Error', { cause: error });
  const isOwn = [UpstreamError, ServiceFailure, MisuseError].some((type) => error instanceof type);
  if (!isOwn) markModuleError(error);
  throw error;
}
