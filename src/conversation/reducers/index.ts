import type { KnownRunEventKind } from '../../protocol/index.ts';
import { isObject } from '../../protocol/json.ts';
import type { EventReducer } from '../reducer-types.ts';
import { asObject } from '../read-values.ts';
import { error, runExpired, runFailed } from './error.ts';
import { ask, slotInput } from './interrupt.ts';
import { messageCompleted, messageDelta, messageStarted, placeMessage } from './message.ts';
import { planning } from './planning.ts';
import { done, runCancelled, runCompleted, runStarted } from './run.ts';
import {
  runStepCompleted,
  runStepDelta,
  runStepFailed,
  runStepStarted,
  runStepThinking,
  statusLine,
} from './step.ts';
import { summary } from './summary.ts';
import { transcription } from './transcription.ts';

/** A message with the role `tool`, as in chat completions, is a tool's result: it becomes a step, not an answer. */
const messageOrToolResult: EventReducer = (conversation, scope) => {
  const message = isObject(scope.data['message']) ? scope.data['message'] : scope.data;
  if (message['role'] !== 'tool') return placeMessage(conversation, scope);
  const { tool_call_id, tool_name } = asObject(message['additional_properties']);
  const { content } = message;
  const response = {
    type: 'tool_response',
    tool_call_id: message['tool_call_id'] ?? tool_call_id,
    name: message['name'] ?? tool_name,
    content,
  };
  return runStepDelta(conversation, { ...scope, data: { delta: { step_details: [response] } } });
};

/** The reducer of each event kind. A kind without one does not compile. */
export const eventReducers: { readonly [Kind in KnownRunEventKind]: EventReducer } = {
  'run.started': runStarted,
  'run.completed': runCompleted,
  'run.failed': runFailed,
  'run.expired': runExpired,
  'run.cancelled': runCancelled,
  'run.step.started': runStepStarted,
  'run.step.completed': runStepCompleted,
  'run.step.failed': runStepFailed,
  'run.step.delta': runStepDelta,
  'run.step.thinking': runStepThinking,
  'run.step.intermediate': statusLine,
  'message.created': messageOrToolResult,
  'message.started': messageStarted,
  'message.delta': messageDelta,
  'message.completed': messageCompleted,
  'message.interrupt': ask,
  transcription,
  summary,
  error,
  done,
  planning,
  'flow.slot.listen': ask,
  'slot.input': slotInput,
};
