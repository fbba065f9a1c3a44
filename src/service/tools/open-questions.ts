import { isObject } from '../../protocol/json.ts';
import type { QuestionAnswer, ServerQuestion } from './call-options.ts';
import { askQuestion, closeQuestion, type ShownQuestion } from './decision-events.ts';
import type { LoopEvent } from './step-events.ts';
import type { CallRecord, JsonObject, RunCalls } from './tool-call.ts';

/** What the questions use of a run. */
interface QuestionOptions {
  readonly calls: RunCalls;
  readonly signal: AbortSignal;
  readonly decisionTtlMs: number;
  readonly emit: (event: LoopEvent) => void;
}

/** The questions that servers ask the visitor during the calls of a run. */
export class OpenQuestions {
  readonly #options: QuestionOptions;
  readonly #open = new Map<ShownQuestion, Promise<QuestionAnswer>>();

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  /** Asks, and waits for the answer until `gone` aborts. */
  async ask(
    call: CallRecord,
    { message, schema }: ServerQuestion,
    gone: AbortSignal,
  ): Promise<QuestionAnswer> {
    const { calls, decisionTtlMs, emit } = this.#options;
    const { title, server } = call;
    const question = { callId: call.id, title, server, schema: withMultipleChoices(schema) };
    const asked = await calls.ask(question, decisionTtlMs);
    const shown = { ...question, ...asked, text: message };
    emit(askQuestion(shown));
    const answered = this.#answered(shown, gone);
    this.#open.set(shown, answered);
    return answered;
  }

  /** Resolves when the questions of a call that has ended are closed. */
  async closed({ id }: CallRecord): Promise<void> {
    await Promise.allSettled(
      [...this.#open].flatMap(([{ callId }, answered]) => (callId === id ? [answered] : [])),
    );
  }

  async #answered(shown: ShownQuestion, gone: AbortSignal): Promise<QuestionAnswer> {
    const { calls, signal, emit } = this.#options;
    const answer = await calls.answered(shown.id, { signal, gone }).finally(() => this.#open.delete(shown));
    if (answer === 'expired') emit(closeQuestion(shown));
    // for the visitor, the run has gone on: ask again what is still open
    const [left] = this.#open.keys();
    if (left) emit(askQuestion(left));
    if (typeof answer === 'string') return { action: answer === 'declined' ? 'decline' : 'cancel' };
    return { action: 'accept', content: answer };
  }
}

/** Marks lists of choices as such, so that the form has checkboxes for them. @source MCP, "Multi-Select Enum" */
function withMultipleChoices(schema: JsonObject): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const isMultiple = (field: unknown): field is JsonObject =>
    isObject(field) && isObject(field['items']) && ('enum' in field['items'] || 'anyOf' in field['items']);
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    isMultiple(field) ? { uniqueItems: true, ...field } : field,
  ]);
  return { ...schema, properties: Object.fromEntries(fields) as JsonObject };
}
