import { own, shallowArrayEquals } from '../protocol/json.ts';
import type { Conversation, ConversationMessage, Run } from './conversation.ts';
import { asObject } from './read-values.ts';
import { answerTo } from './visitor-actions.ts';

/** One turn as shown: the visitor's message, its run, and the answers. */
export interface Turn {
  readonly id: string;
  /** Absent for callback messages and for hidden prompts. */
  readonly prompt: ConversationMessage | undefined;
  readonly run: Run | undefined;
  readonly answers: readonly ConversationMessage[];
}

/**
 * Groups a conversation into turns. Leaves out hidden and superseded messages. An unchanged turn is the same object as
 * in `previous`, so that only changed turns render again.
 */
export function turnsOf(conversation: Conversation, previous: readonly Turn[]): readonly Turn[] {
  const runs = new Map(conversation.runs.map((run) => [run.id, run]));
  const drafts: { id: string; prompt?: ConversationMessage; run?: Run; answers: ConversationMessage[] }[] =
    [];
  const byRun = new Map<string, (typeof drafts)[number]>();
  for (const message of conversation.messages) {
    const run = message.runKey === undefined ? undefined : runs.get(message.runKey);
    if (message.superseded) continue;
    let draft = run && byRun.get(run.id);
    if (!draft) {
      draft = { id: message.id, ...(run ? { run } : {}), answers: [] };
      drafts.push(draft);
      if (run) byRun.set(run.id, draft);
    }
    if (message.hidden) continue;
    if (message.role === 'user') {
      if (draft.prompt ?? draft.answers[0]) {
        drafts.push((draft = { id: message.id, prompt: message, answers: [], ...(run ? { run } : {}) }));
        if (run) byRun.set(run.id, draft);
      } else draft.prompt = message;
    } else draft.answers.push(message);
  }
  const known = new Map(previous.map((turn) => [turn.id, turn]));
  const turns = drafts
    .filter((draft) => draft.prompt ?? draft.run ?? draft.answers[0])
    .map(({ id, prompt, run, answers }): Turn => {
      const before = known.get(id);
      return before &&
        before.prompt === prompt &&
        before.run === run &&
        shallowArrayEquals(before.answers, answers)
        ? before
        : { id, prompt, run, answers };
    });
  return shallowArrayEquals(previous, turns) ? previous : turns;
}

/** Key in a message's state for decisions that the service refused: status codes by item id. */
export const refusalsKey = 'svc_refused_decisions';

/**
 * Whether a turn asks to approve the call of a tool, and nobody has decided.
 * @param ever whether to count what has been decided, too
 */
export function asksToDecide({ answers }: Turn, { ever = false } = {}): boolean {
  return answers.some((message) =>
    message.items.some(
      ({ id, source }) =>
        source['sub_type'] === 'tool_approval' &&
        (ever ||
          (!answerTo(message, id) &&
            !own(asObject(message.messageState?.[refusalsKey]), id) &&
            (asObject(source['decision'])['state'] ?? 'asked') === 'asked')),
    ),
  );
}

/** Whether a turn asks for a function of the page. */
export function callsPage({ answers }: Turn): boolean {
  return answers.some(({ items }) =>
    items.some(({ source }) => asObject(source['user_defined'])['type'] === 'page_tool_call'),
  );
}
