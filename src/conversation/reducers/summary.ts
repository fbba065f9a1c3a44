import { textOf } from '../read-values.ts';
import type { EventReducer } from '../reducer-types.ts';
import { updateRun, withFields } from '../update.ts';

/** A summary of the conversation or the answer. Deltas are appended; a whole summary replaces them. */
export const summary: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const piece = textOf(data['delta']);
  const whole = textOf(data['summary'] ?? data['text'] ?? data['content'] ?? data['message']);
  return updateRun(conversation, scope.runKey, (run) => {
    if (whole !== '') return withFields(run, { summary: whole });
    return piece === '' || scope.late ? run : { ...run, summary: run.summary + piece };
  });
};
