import { isObject } from '../../protocol/json.ts';
import { argumentErrors } from './check-arguments.ts';
import { EventQueue } from './event-queue.ts';
import type { CallProgress } from './call-options.ts';
import { isPageCall, pageOutcome, readPageTools } from './page-tools.ts';
import { isErrorForModel, resultForModel } from './result-for-model.ts';
import { cutText } from './tool-result.ts';
import { askVisitor, completedText } from './decision-events.ts';
import { OpenQuestions } from './open-questions.ts';
import { callEnded, callProgress, callStarted, thinkingEvent, type LoopEvent } from './step-events.ts';
import {
  type CallEnd,
  type CallRecord,
  type JsonObject,
  type NewCall,
  type RequestedCall,
  type RunCalls,
  ToolCallError,
  type ToolDefinition,
} from './tool-call.ts';
import type { Toolset } from './toolset.ts';
import { startToolSpan } from '../telemetry/gen-ai.ts';
import type { Span } from '../telemetry/span.ts';

/** What the loop uses of a run. */
export interface LoopRun {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly calls: RunCalls;
  /** The run's span: calls are parts of it. */
  readonly span: Span;
  /** The trace, for the servers of tools. */
  readonly traceparent: string;
  /** The page's tools are declared here. */
  readonly additionalParameters: JsonObject;
  /** Logs a note for the operator. */
  readonly report: (text: string) => void;
  /** Applies the guardrails to data for the model. */
  readonly checkInput?: <Value>(value: Value) => Promise<Value>;
  /** Applies the guardrails to data of the model. */
  readonly checkOutput?: <Value>(value: Value) => Promise<Value>;
}

/** One question to the model. */
export interface ModelStep {
  /** The tools it may call; none after the last step. */
  readonly tools: readonly ToolDefinition[];
  /**
   * The agent's tools, also after the last step: a request that contains calls has to define tools for some services.
   */
  readonly offered: readonly ToolDefinition[];
  /** All calls so far with their outcomes, oldest first. See `resultForModel`. */
  readonly calls: readonly CallRecord[];
}

/** Asks the model: yields its answer and returns the calls that it wants, none when the answer is complete. */
export type AskModel<Event> = (
  step: ModelStep,
) => AsyncGenerator<Event | string, readonly RequestedCall[] | void>;

/** What the loop needs besides the model. */
export interface LoopOptions {
  readonly run: LoopRun;
  readonly toolset: Toolset;
  /** Data of `run.completed` when the run ends to wait for the visitor. */
  readonly completion?: () => JsonObject;
}

/**
 * Asks the model, executes the calls it wants, and asks again with the results, until it wants none. After the last
 * step it is asked without tools. Failed calls go to the model; they do not end the run. When calls need the
 * visitor's approval, the loop ends the run; the run of the last decision continues.
 */
export async function* runToolLoop<Event>(
  options: LoopOptions,
  ask: AskModel<Event>,
): AsyncGenerator<Event | LoopEvent | string> {
  const { run, toolset } = options;
  const { maxSteps, showDetails, decisionTtlMs } = toolset.settings;
  const ofPage = toolset.settings.pageTools ? readPageTools(run.additionalParameters, run.report) : [];
  if (run.calls.isAnswer) {
    const { resumed } = run.calls;
    if (resumed.length === 0) return;
    for (const record of resumed) yield* callStarted(record, { details: showDetails });
    yield* execute(options, resumed, await toolset.list(ofPage));
  }
  let hasSpoken = false;
  let hasThought = false;
  /** What the model said before each round of this run. */
  const said = new Map<number, string>();
  const visitorWords = checkVisitorWords(run);
  for (let step = 0; ; step += 1) {
    const offered = await toolset.list(ofPage);
    const tools = step < maxSteps ? offered : [];
    if (tools.length < offered.length)
      run.report(`max_steps (${maxSteps}) was reached: the model has to answer without more calls`);
    const calls = await Promise.all(
      run.calls.records.map(async (record) => ({
        ...record,
        ...(await visitorWords(record)),
        ...(record.runId === run.runId ? { said: said.get(record.round) } : {}),
      })),
    );
    const answer = ask({ tools, offered, calls });
    let text = '';
    let next = await answer.next();
    let breaksThought = hasThought;
    for (let breaks = hasSpoken; !next.done; next = await answer.next()) {
      const { value } = next;
      if (typeof value !== 'string') {
        const thought = thoughtIn(value);
        yield thought !== undefined && breaksThought ? thinkingEvent(`\n\n${thought}`) : value;
        hasThought ||= thought !== undefined;
        breaksThought &&= thought === undefined;
        continue;
      }
      text += value;
      // Text after a call is a paragraph of its own, and so is reasoning.
      yield breaks ? `\n\n${value}` : value;
      breaks = false;
      hasSpoken = true;
    }
    const requested = next.value ?? [];
    if (requested.length === 0 || tools.length === 0) return;
    const allowed = await (run.checkOutput?.(requested) ?? requested);
    const prepared = allowed.map((call) => ({
      ...prepare(call, tools, run.report),
      vendorFields: call.vendorFields,
    }));
    const records = await run.calls.add(prepared, decisionTtlMs);
    if (records[0]) said.set(records[0].round, text.trim());
    // what the visitor is asked about has its arguments anyway
    for (const record of records)
      yield* callStarted(record, { details: showDetails || record.state === 'asked' });
    const questions = records.filter(({ state }) => state === 'asked');
    const others = records.filter(({ state }) => state !== 'asked');
    yield* execute(options, others, tools);
    if (questions.length === 0) continue;
    if (hasSpoken) yield* completedText;
    yield* askVisitor(questions, tools);
    yield { event: 'run.completed', data: options.completion?.() ?? {} };
    return;
  }
}

/** The reasoning in an event; `undefined` if it has none. */
function thoughtIn(event: unknown): string | undefined {
  if (!isObject(event) || event['event'] !== 'run.step.thinking' || !isObject(event['data']))
    return undefined;
  const { thinking } = event['data'];
  return typeof thinking === 'string' && thinking !== '' ? thinking : undefined;
}

/**
 * Finds out what is to become of a call.
 * @param report logs why arguments were not checked
 */
function prepare(
  { name, args }: RequestedCall,
  tools: readonly ToolDefinition[],
  report: (text: string) => void,
): NewCall {
  const tool = tools.find((one) => one.name === name);
  const refuse = (result: string): NewCall => ({ name, args, state: 'failed', tool, result });
  if (!tool) {
    const names = tools.map((one) => one.name).join(', ');
    return refuse(`There is no tool "${name.slice(0, 100)}". The tools are: ${names}`);
  }
  // The schema of a page is not used for checks: its patterns could keep the process busy. The page checks its
  // arguments.
  const isPages = isPageCall(tool);
  const errors = argumentErrors(isPages ? {} : tool.inputSchema, args, (fault) =>
    report(`the arguments of the tool "${name}" are not checked here: its schema ${fault}`),
  );
  if (errors.length > 0)
    return refuse(`The arguments are invalid, the call did not run: ${errors.join('; ')}`);
  return { name, args, state: tool.needsApproval || isPages ? 'asked' : 'running', tool };
}

/** Executes calls side by side. Yields their events as they come. */
async function* execute(
  options: LoopOptions,
  records: readonly CallRecord[],
  tools: readonly ToolDefinition[],
): AsyncGenerator<LoopEvent> {
  const queue = new EventQueue<LoopEvent>();
  const emit = (event: LoopEvent): void => queue.push(event);
  const { run, toolset } = options;
  const { decisionTtlMs } = toolset.settings;
  const questions = new OpenQuestions({ calls: run.calls, signal: run.signal, decisionTtlMs, emit });
  const work = records.map(async (record) => {
    const { ended, items } = await executeOne(options, record, tools, { questions, emit });
    const result = { text: resultForModel(ended), isError: isErrorForModel(ended) };
    for (const event of callEnded(ended, result, { details: toolset.settings.showDetails })) emit(event);
    for (const [index, item] of items.entries()) emit(itemDelta(record, index, item));
  });
  void Promise.all(work).then(
    () => queue.close(),
    (error: unknown) => queue.fail(error),
  );
  yield* queue;
}

async function executeOne(
  options: LoopOptions,
  record: CallRecord,
  tools: readonly ToolDefinition[],
  { questions, emit }: { readonly questions: OpenQuestions; readonly emit: (event: LoopEvent) => void },
): Promise<{ ended: CallRecord; items: readonly JsonObject[] }> {
  const { run, toolset } = options;
  const taken = isResumable(record) ? await run.calls.claim(record.id) : undefined;
  const call = taken?.call ?? record;
  if (call.state !== 'running' || taken?.claimed === false) return { ended: call, items: [] };
  if (isPageCall(call)) return { ended: await settlePageCall(options, call), items: [] };
  // Its name is another server's if, since the question, servers were exchanged, or this one is not reached.
  const tool = tools.find(({ name, server }) => name === call.name && server === call.server);
  const settle = async (end: CallEnd): Promise<CallRecord> => run.calls.settle(record.id, end);
  if (!tool) {
    const ended = await settle({ state: 'failed', result: 'This tool is gone. The call did not run.' });
    return { ended, items: [] };
  }
  const span = startToolSpan(run, call);
  let errorType: string | undefined;
  try {
    const result = await toolset.call(tool, call.args as JsonObject, {
      // an object, as checked before the call was stored
      signal: run.signal,
      runId: run.runId,
      traceparent: span.traceparent ?? run.traceparent,
      onQuestion: (question, gone) => questions.ask(call, question, gone),
      onProgress: (progress) => emit(callProgress(progressText(record, progress))),
    });
    if (result.isError) errorType = 'tool_error';
    const text = await checked(run, result.text);
    span.setContent(() => ({ 'gen_ai.tool.call.result': text }));
    const ended = await settle({ state: result.isError ? 'failed' : 'done', result: text });
    return { ended, items: result.items };
  } catch (error) {
    if (error instanceof ToolCallError) {
      errorType = error.mayHaveRun ? 'unknown' : 'failed';
      const ended = await settle({ state: error.mayHaveRun ? 'unknown' : 'failed', result: error.message });
      return { ended, items: [] };
    }
    // stopped: the end of the run marks the call as unknown
    throw error;
  } finally {
    await questions.closed(call);
    span.end(errorType);
  }
}

/** Ends a call that the visitor's page has answered. */
async function settlePageCall({ run, toolset }: LoopOptions, call: CallRecord): Promise<CallRecord> {
  const { state, text } = pageOutcome(call.answer ?? {});
  const result = await checked(run, cutText(text, toolset.settings.resultLimit));
  return run.calls.settle(call.id, { state, result });
}

/** Withholds a result that a guardrail stops from the model. The call happened, so the run continues. */
async function checked(run: LoopRun, text: string): Promise<string> {
  try {
    return await (run.checkInput?.(text) ?? text);
  } catch (error) {
    if (run.signal.aborted) throw error;
    run.report('a guardrail withheld the result of a tool');
    return 'The call ended. A guardrail withheld its result.';
  }
}

type VisitorWords = Partial<Pick<CallRecord, 'reason' | 'args'>>;

/**
 * Returns what the model reads of the words that a visitor wrote with a decision: they pass the guardrails, once for
 * each call. The tool gets them as written.
 */
function checkVisitorWords({
  checkInput,
  signal,
  report,
}: LoopRun): (call: CallRecord) => Promise<VisitorWords> {
  const checked = new Map<string, Promise<VisitorWords>>();
  const check = async ({ reason, args, edited }: CallRecord): Promise<VisitorWords> => {
    if (!checkInput || (reason === undefined && !edited)) return {};
    const written = { ...(reason !== undefined && { reason }), ...(edited && { args }) };
    try {
      return await checkInput(written);
    } catch (error) {
      if (signal.aborted) throw error;
      report('a guardrail withheld what a visitor wrote with a decision');
      return {
        ...(reason && { reason: 'withheld by a guardrail' }),
        ...(edited && { args: {} }),
      };
    }
  };
  return (call) => {
    const words = checked.get(call.id) ?? check(call);
    checked.set(call.id, words);
    return words;
  };
}

function isResumable({ state, idempotent, attempts }: CallRecord): boolean {
  return state === 'approved' || (state === 'unknown' && idempotent && attempts === 1);
}

/** A content item of a result, beside the text of the answer. */
function itemDelta({ id }: CallRecord, index: number, item: JsonObject): LoopEvent {
  const content = [{ id: `${id}-${index + 1}`, ...item }];
  return { event: 'message.delta', data: { delta: { role: 'assistant', content } } };
}

function progressText({ title }: CallRecord, { progress, total, message }: CallProgress): string {
  if (message !== undefined && message !== '') return message.slice(0, 300);
  if (total === undefined || total <= 0) return `${title}…`;
  return `${title}: ${Math.min(100, Math.round((progress / total) * 100))} %`;
}
