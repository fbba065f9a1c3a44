import { readText } from '../read-values.ts';
import type { EventReducer } from '../reducer-types.ts';
import { updateRun, withFields } from '../update.ts';

/** A summary of the conversation or the answer. Deltas are appended; a whole summary replaces them. */
export const summary: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const piece = readText(data['delta']);
  const whole = readText(data['summary'] ?? data['text'] ?? data['content'] ?? data['message']);
  return updateRun(conversation, scope.runKey, (run) => {
    if (whole !== '') return withFields(run, { summary: whole });
    return piece === '' || scope.late ? run : { ...run, summary: run.summary + piece };
  });
};
