import type { KnownRunEventKind } from '../../protocol/index.ts';
import type { EventReducer } from '../reducer-types.ts';
import { fieldsOf, isFields } from '../read-values.ts';
import { error, runExpired, runFailed } from './error.ts';
import { planning, summary, transcription } from './other.ts';
import { plainReducers } from './plain.ts';
import { flowSlotListen, messageInterrupt, slotInput } from './interrupt.ts';
import {
  runStepCompleted,
  runStepDelta,
  runStepFailed,
  runStepIntermediate,
  runStepStarted,
  runStepThinking,
} from './step.ts';

/** What a tool gave back may come as a message, as chat completions have it: a step, and no words for a visitor. */
const messageOrResponse: EventReducer = (conversation, scope) => {
  const message = isFields(scope.data['message']) ? scope.data['message'] : scope.data;
  if (message['role'] !== 'tool') return plainReducers['message.created'](conversation, scope);
  const { tool_call_id, tool_name } = fieldsOf(message['additional_properties']);
  const { content } = message;
  const response = {
    type: 'tool_response',
    tool_call_id: message['tool_call_id'] ?? tool_call_id,
    name: message['name'] ?? tool_name,
    content,
  };
  return runStepDelta(conversation, { ...scope, data: { delta: { step_details: [response] } } });
};

/** One reducer for every kind that changes the conversation; a kind without one does not compile. */
export const eventReducers: { readonly [Kind in KnownRunEventKind]: EventReducer } = {
  ...plainReducers,
  'message.created': messageOrResponse,
  'run.failed': runFailed,
  'run.expired': runExpired,
  'run.step.started': runStepStarted,
  'run.step.completed': runStepCompleted,
  'run.step.failed': runStepFailed,
  'run.step.delta': runStepDelta,
  'run.step.thinking': runStepThinking,
  'message.interrupt': messageInterrupt,
  transcription,
  summary,
  error,
  planning,
  'flow.slot.listen': flowSlotListen,
  'run.step.intermediate': runStepIntermediate,
  'slot.input': slotInput,
};
