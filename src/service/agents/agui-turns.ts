import { PROTOCOL_VERSION, type Message, type RunAgentInput, type Tool } from '@ag-ui/client';
import type { ContentItem, StoredMessage } from '../../protocol/index.ts';
import { isObject, sameJson } from '../../protocol/json.ts';
import { formsAsJson, plainTextOf, referencesAsText, type AgentRun } from './agent.ts';
import { hashedUser } from './upstream/upstream-identity.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A question of an AG-UI agent that the visitor or the page has to answer. */
export interface OpenQuestion {
  /** The interrupt's id, or the id of a call of a page tool. */
  readonly id: string;
  /**
   * `approval`: of a tool call. `form`: an object. `value`: one value, the form's `answer`. `page`: a call of a page
   * tool.
   */
  readonly kind: 'approval' | 'form' | 'value' | 'page';
  /** The proposed arguments of an `approval`. */
  readonly args?: JsonObject;
}

/** Data stored with an answer for the next run, in `additional_properties.agui` of its message. */
export interface KeptTurn {
  readonly state?: unknown;
  /** The messages of the turn as the agent knows them, with its own ids. */
  readonly messages: readonly Message[];
  /** Whether they replace all earlier ones, because the agent rewrote its history. */
  readonly replaces?: boolean;
  readonly open?: readonly OpenQuestion[];
}

/** The conversation as an AG-UI agent gets it. */
export interface AguiTurns {
  readonly messages: Message[];
  readonly state: unknown;
  /** Answers to the agent's interrupts. */
  readonly resume: NonNullable<RunAgentInput['resume']>;
  /** Questions that are still open after a partial answer: the agent cannot continue yet. */
  readonly waiting: readonly OpenQuestion[];
}

/** Reads the thread: kept turns as they are, everything else from the stored messages. */
export function readTurns(run: AgentRun): AguiTurns {
  let messages: Message[] = [];
  let state: unknown = {};
  let open: readonly OpenQuestion[] = [];
  let answers = new Map<string, ContentItem>();
  for (const message of [...run.history, run.message]) {
    const kept = keptOf(message);
    if (kept) {
      messages = kept.replaces ? [...kept.messages] : [...messages, ...kept.messages];
      if ('state' in kept) state = kept.state;
      open = kept.open ?? [];
      answers = new Map();
      continue;
    }
    const content = Array.isArray(message.content) ? message.content : [];
    const answered = content.flatMap((item) => {
      const question = open.find(({ id }) => id === answerId(item));
      return question ? [{ item, question }] : [];
    });
    for (const { item, question } of answered) answers.set(question.id, item);
    const text = messageText(
      message,
      answered.map(({ item }) => item),
    );
    if (text === '') continue;
    const role = message.role === 'user' ? 'user' : 'assistant';
    messages.push({ id: message.id, role, content: text });
  }
  const unanswered = open.filter(({ id }) => !answers.has(id));
  const answersNow =
    Array.isArray(run.message.content) &&
    run.message.content.some((item) => open.some(({ id }) => id === answerId(item)));
  if (unanswered.length > 0 && answersNow) return { messages, state, resume: [], waiting: unanswered };
  const results = open.filter(({ kind }) => kind === 'page').map(({ id }) => pageResult(id, answers.get(id)));
  const afterQuestions = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  if (results.length > 0) messages.splice(afterQuestions, 0, ...results);
  const resume = open
    .filter(({ kind }) => kind !== 'page')
    .map((question) => resumeOf(question, answers.get(question.id)));
  return { messages, state, resume, waiting: [] };
}

/** Builds the input of a run. */
export function toRunInput(
  run: AgentRun,
  { messages, state, resume }: AguiTurns,
  tools: readonly Tool[],
): RunAgentInput {
  const { page_tools: _tools, ...parameters } = run.additionalParameters;
  return {
    threadId: run.threadId,
    runId: run.runId,
    protocolVersion: PROTOCOL_VERSION,
    state,
    messages,
    tools: [...tools],
    context: [
      ...Object.entries(run.contextVariables),
      ...(Object.keys(run.context).length > 0 ? [['context', run.context] as const] : []),
    ].map(([description, value]) => ({
      description,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    forwardedProps: { ...parameters, user: hashedUser(run) },
    ...(resume.length > 0 ? { resume } : {}),
  };
}

function keptOf({ role, additional_properties: properties }: StoredMessage): KeptTurn | undefined {
  const author = properties?.['author'];
  const isVisitors = role === 'user' || (isObject(author) && author['kind'] === 'visitor');
  const kept = isVisitors ? undefined : properties?.['agui'];
  // written by `AguiAnswer`
  return isObject(kept) && Array.isArray(kept['messages']) ? (kept as unknown as KeptTurn) : undefined;
}

/** The id of the question that an item answers. */
function answerId(item: ContentItem): string | undefined {
  if (item.form_operation != null) return item.id ?? undefined;
  const result = item['user_defined'];
  return isObject(result) && result['type'] === 'page_tool_result' ? String(result['id']) : undefined;
}

/** The text of a message, with its mentions and documents, without the answers to questions. Other forms become JSON. */
function messageText(message: StoredMessage, answers: readonly ContentItem[]): string {
  const items = Array.isArray(message.content) ? message.content : [];
  const forms = items.filter((item) => item.form_operation != null && !answers.includes(item));
  return [plainTextOf(message) || formsAsJson(forms), referencesAsText(message)].filter(Boolean).join('\n\n');
}

/** An answer as the agent's interrupt wants it. A typed message in place of an answer cancels the interrupt. */
function resumeOf(
  { id, kind, args }: OpenQuestion,
  answer: ContentItem | undefined,
): NonNullable<RunAgentInput['resume']>[number] {
  const interruptId = id;
  const isGiven = answer?.form_operation === 'submit';
  const data = isObject(answer?.form_data) ? answer.form_data : {};
  if (kind === 'approval' && answer) {
    const isEdited = isGiven && answer.form_data != null && !sameJson(data, args ?? {});
    const reason = answer['reason'];
    const payload = {
      approved: isGiven,
      ...(isEdited ? { editedArgs: data } : {}),
      ...(!isGiven && typeof reason === 'string' ? { reason } : {}),
    };
    return { interruptId, status: 'resolved', payload };
  }
  if (!isGiven) return { interruptId, status: 'cancelled' };
  return { interruptId, status: 'resolved', payload: kind === 'value' ? data['answer'] : data };
}

function pageResult(id: string, answer: ContentItem | undefined): Message {
  const result = isObject(answer?.['user_defined'])
    ? answer['user_defined']
    : { error: 'The visitor wrote something else.' };
  const { content, error } = result;
  const tool = { id: `result-${id}`, role: 'tool', toolCallId: id } as const;
  if (typeof error === 'string') return { ...tool, content: error, error };
  if (error !== undefined) return { ...tool, content: '' };
  return { ...tool, content: typeof content === 'string' ? content : JSON.stringify(content ?? '') };
}
