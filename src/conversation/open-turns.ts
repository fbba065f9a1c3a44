import type { ConversationMessage } from './conversation.ts';
import { asObject, nonEmptyString } from './read-values.ts';
import { wasRefused } from './run-status.ts';
import type { Turn } from './turns.ts';

/**
 * Index of the first turn whose items may still be answered. The visitor's own words close what was asked before them;
 * an answer to one item leaves the others open, and so does a message that the service refused. An answer that waits to be
 * sent closes everything until it is sent or withdrawn, so that it cannot be sent twice. -1: all are open.
 */
export function firstOpenTurn(turns: readonly Turn[]): number {
  return turns.findLastIndex(
    ({ prompt, run }, index) =>
      prompt &&
      !wasRefused(run) &&
      ((!run && prompt.status === 'queued') || !answersAnItem(prompt, turns.slice(0, index))),
  );
}

function answersAnItem(prompt: ConversationMessage, before: readonly Turn[]): boolean {
  if (prompt.items.some(({ type }) => type === 'form_operation')) return true;
  const [said] = prompt.items;
  if (said?.type !== 'text') return false;
  return before.some(({ answers }) =>
    answers.some(
      (asked) =>
        asked.messageId === prompt.parentMessageId &&
        Object.values(asked.answers).some(
          ({ action, data }) => action === 'choose' && wordsOf(data).includes(said.text),
        ),
    ),
  );
}

/** What a choice may have been sent as: the value itself, or the fields of an option. */
function wordsOf(data: unknown): readonly (string | undefined)[] {
  const { value, text, label } = asObject(data);
  const { text: input } = asObject(asObject(value)['input']);
  return [data, value, input, text, label].map(nonEmptyString);
}
