import type { KnownRunEventKind } from '../../protocol/index.ts';
import type { EventReducer } from '../event-scope.ts';
import { error, runExpired, runFailed } from './fault.ts';
import { planning, summary, transcription } from './other.ts';
import { plainReducers } from './plain.ts';
import { flowSlotListen, messageInterrupt, slotInput } from './question.ts';
import {
  runStepCompleted,
  runStepDelta,
  runStepFailed,
  runStepIntermediate,
  runStepStarted,
  runStepThinking,
} from './step.ts';

/** One reducer for every kind that changes the conversation; a kind without one does not compile. */
export const eventReducers: { readonly [Kind in KnownRunEventKind]: EventReducer } = {
  ...plainReducers,
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
