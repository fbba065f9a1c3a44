import type { ConversationMessage, Run, RunStep } from './conversation.ts';

/** A message with default values. */
export function createMessage(
  known: Pick<ConversationMessage, 'id' | 'role' | 'status' | 'runKey' | 'createdAt'>,
): ConversationMessage {
  return {
    messageId: undefined,
    items: [],
    parentMessageId: undefined,
    displayText: undefined,
    hidden: false,
    interim: false,
    steps: [],
    connection: undefined,
    mentions: [],
    documentIds: [],
    additionalProperties: undefined,
    messageState: undefined,
    answers: {},
    transcription: undefined,
    clientMessageId: undefined,
    extras: undefined,
    superseded: false,
    ...known,
  };
}

/** A run that was posted and has no event yet. */
export function createRun(known: Pick<Run, 'id' | 'startedAt'>): Run {
  return {
    runId: undefined,
    route: 'run',
    agentId: undefined,
    status: 'submitted',
    steps: [],
    thinking: '',
    plan: [],
    summary: '',
    statusLine: undefined,
    failure: undefined,
    endedAt: undefined,
    lastEventId: undefined,
    needsReply: false,
    done: false,
    stopUnconfirmed: false,
    openMessageId: undefined,
    applied: { recent: [], floor: undefined, ambiguous: false },
    ...known,
  };
}

/** A step with default values. */
export function createStep(id: string, kind: RunStep['kind']): RunStep {
  return {
    id,
    kind,
    name: '',
    agentName: undefined,
    status: 'active',
    input: undefined,
    output: undefined,
    error: undefined,
    parentId: undefined,
  };
}
