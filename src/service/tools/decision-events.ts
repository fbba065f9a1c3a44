import {
  toolApproval,
  type ContentItem,
  type PageToolCall,
  type ToolApprovalItem,
} from '../../protocol/index.ts';
import { PageTool } from './page-tools.ts';
import type { LoopEvent } from './step-events.ts';
import type { AskedQuestion, CallQuestion, CallRecord, JsonObject, ToolDefinition } from './tool-call.ts';

/** Completes the text before a question, which is a message of its own. */
export const completedText: readonly LoopEvent[] = [
  { event: 'message.created', data: {} },
  { event: 'message.completed', data: {} },
];

/** Asks the visitor to decide on calls, and the page to run its own: one item each, then the composer is unlocked. */
export function askVisitor(
  calls: readonly CallRecord[],
  tools: readonly ToolDefinition[],
): readonly LoopEvent[] {
  const content = calls.map((call) => {
    const tool = tools.find(({ name }) => name === call.name);
    return tool instanceof PageTool ? pageToolItem(call, tool) : decisionItem(call, tool);
  });
  return [
    { event: 'message.created', data: { message: { role: 'assistant', content } } },
    { event: 'message.interrupt', data: {} },
  ];
}

/** A question that is shown. */
export interface ShownQuestion extends CallQuestion, AskedQuestion {
  /** What the server says. */
  readonly text: string;
}

/**
 * Asks the visitor what a server wants to know during a call. The form names the server, and can be cancelled. The run
 * continues after the answer.
 */
export function askQuestion(question: ShownQuestion): LoopEvent {
  return { event: 'flow.slot.listen', data: { message: questionMessage(question, 'asked') } };
}

/** Closes a question that nobody waits for any more: its message, once more. */
export function closeQuestion(question: ShownQuestion): LoopEvent {
  return { event: 'message.created', data: { message: questionMessage(question, 'expired') } };
}

function questionMessage(question: ShownQuestion, state: 'asked' | 'expired'): JsonObject {
  const { id, text, title, server, schema } = question;
  const about = schema['description'];
  const expires = expiryOf(question);
  const content = [
    { response_type: 'text', id: `${id}-text`, text: text.slice(0, 2_000) },
    {
      response_type: 'forms',
      id,
      name: title,
      json_schema: { ...schema, description: typeof about === 'string' ? `${server}: ${about}` : server },
      ui_schema: { 'ui:cancelButtonOptions': { showCancel: true } },
      decision: { state, ...(expires === undefined ? {} : { expires_at: expires }) },
    },
  ];
  return { id, role: 'assistant', content };
}

function pageToolItem(call: CallRecord, { ownName }: PageTool): ContentItem {
  const expires = expiryOf(call);
  const toolCall: PageToolCall = {
    type: 'page_tool_call',
    id: call.id,
    name: ownName,
    title: call.title,
    args: call.args as JsonObject, // an object, as checked before the call was stored
    ...(expires === undefined ? {} : { expires_at: expires }),
  };
  return { response_type: 'user_defined', id: call.id, user_defined: toolCall };
}

function expiryOf({ expiresOn }: Pick<CallRecord, 'expiresOn'>): string | undefined {
  return expiresOn === undefined ? undefined : new Date(expiresOn).toISOString();
}

function decisionItem(call: CallRecord, tool: ToolDefinition | undefined): ToolApprovalItem {
  const expires = expiryOf(call);
  return {
    response_type: 'forms',
    sub_type: toolApproval,
    id: call.id,
    name: call.title,
    tool: {
      server: call.server,
      name: call.name,
      title: call.title,
      description: tool?.description ?? '',
      read_only: tool?.readOnly ?? false,
    },
    json_schema: { ...(tool?.inputSchema ?? { type: 'object' }) },
    form_data: { ...(call.args as JsonObject) }, // an object, as checked before the call was stored
    decision: { state: 'asked', ...(expires === undefined ? {} : { expires_at: expires }) },
  };
}
