import { isObject } from '../../protocol/json.ts';
import { readText } from '../read-values.ts';
import type { EventReducer } from '../reducer-types.ts';
import { updateMessage } from '../update.ts';

/** Transcript of the visitor's speech; replaced until it is final. */
export const transcription: EventReducer = (conversation, scope) => {
  const { data } = scope;
  const source = isObject(data['transcription']) ? data['transcription'] : data;
  const text = readText(
    source['transcript'] ??
      source['transcription'] ??
      source['text'] ??
      source['content'] ??
      source['message'] ??
      source['delta'],
  );
  if (text === '') return conversation;
  const final =
    source['final'] === true ||
    source['is_final'] === true ||
    source['status'] === 'final' ||
    source['status'] === 'completed';
  return updateMessage(conversation, scope.run.id, (message) => {
    const heard = message.transcription;
    if (heard?.final === true && (!final || scope.late)) return message;
    return heard?.text === text && heard.final === final
      ? message
      : { ...message, transcription: { text, final } };
  });
};
