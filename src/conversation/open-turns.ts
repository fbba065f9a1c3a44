import type { ConversationMessage } from './conversation.ts';
import { asObject, nonEmptyString } from './read-values.ts';
import { wasRefused } from './run-status.ts';
import type { Turn } from './turns.ts';

/**
 * Index of the first turn whose items can still be answered; -1: all of them can.
 *
 * A message of the visitor closes the items before it, unless it only answers one of them or the service rejected it. A
 * queued answer closes all items until it is sent or removed, so that it cannot be sent twice.
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
      (question) =>
        // a late choice has no parent; see `createAnswerMessage`
        [question.messageId, undefined].includes(prompt.parentMessageId) &&
        Object.values(question.answers).some(
          ({ action, data }) => action === 'choose' && textsOfChoice(data).includes(said.text),
        ),
    ),
  );
}

/** The texts that may have been sent for a choice: the value itself, or a field of the option. */
function textsOfChoice(data: unknown): readonly (string | undefined)[] {
  const { value, text, label } = asObject(data);
  const { text: input } = asObject(asObject(value)['input']);
  return [data, value, input, text, label].map(nonEmptyString);
}
