import type { ContentItem } from './content-item.ts';

/** `sub_type` of a form that asks whether a tool may be called, and of the `form_operation` that answers it. */
export const toolApproval = 'tool_approval';

/**
 * State of a decision. `asked`: open. `approved`: allowed, not started. `running`: the tool was called.
 * `unknown`: the process died during the call, which may have happened and is not repeated.
 */
export type ToolDecisionState =
  | 'asked'
  | 'approved'
  | 'declined'
  | 'expired'
  | 'running'
  | 'done'
  | 'failed'
  | 'unknown';

/** The state of a decision, as the service stores it with the item and sends it in the body of a 409. */
export interface ToolDecision {
  readonly state: ToolDecisionState;
  /** ISO 8601. Nothing is called after it. */
  readonly expires_at?: string | null | undefined;
  /** ISO 8601. */
  readonly decided_at?: string | null | undefined;
  /** The visitor's reason to decline; `expired` when the time ran out. */
  readonly reason?: string | null | undefined;
  /** The approved arguments, where the visitor changed them. */
  readonly form_data?: Readonly<Record<string, unknown>> | null | undefined;
  /** Why the call failed, for the visitor. */
  readonly error?: string | null | undefined;
}

/** The tool that is to be called. */
export interface ApprovedTool {
  /** Name of the system that it acts on. */
  readonly server?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Whether the call changes nothing, as the system itself says. */
  readonly read_only?: boolean | null | undefined;
}

/**
 * A form that asks whether a tool may be called. Its `json_schema` is the tool's input schema, its `form_data` the
 * arguments. A `form_operation` with the same `id` and `sub_type` answers it: `submit` with the arguments in
 * `form_data`, or `cancel` with a `reason`. Clients that do not know `tool_approval` show a form.
 * @assumed the interface has no decisions; this rides on its forms
 */
export interface ToolApprovalItem extends ContentItem {
  readonly response_type: 'forms';
  readonly sub_type: typeof toolApproval;
  /** The id of the tool call. */
  readonly id: string;
  /** The action, in words for people. */
  readonly name: string;
  readonly tool: ApprovedTool;
  /** Default: `asked`, without an end. */
  readonly decision?: ToolDecision | undefined;
}
