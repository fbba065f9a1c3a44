import type { CallRecord, ToolDefinition } from '../../tools/tool-call.ts';
import type { ModelStep } from '../../tools/tool-loop.ts';

/** The fields of a tool that a model service receives. */
export type OfferedTool = Pick<ToolDefinition, 'name' | 'description' | 'inputSchema'>;

/**
 * Adds the tools of a step to those of the operator's `extra_body`, which the vendor executes. When the model may call
 * none any more, they stay defined: some services reject a request that contains calls and defines no tools.
 * @param form.none the service's `tool_choice` that forbids calls
 */
export function offerTools<Tool, Choice>(
  request: { tools?: Tool[]; tool_choice?: Choice },
  { tools, offered, calls }: ModelStep,
  form: {
    readonly toTool: (tool: OfferedTool) => Tool;
    readonly none: Choice;
    readonly extraBody: Readonly<Record<string, unknown>>;
  },
): void {
  if (form.extraBody['tools'] === null) return;
  const ofVendor = request.tools ?? [];
  const own = offered.length > 0 || ofVendor.length > 0 ? offered : formerTools(calls);
  if (own.length === 0) return;
  request.tools = [...ofVendor, ...own.map(form.toTool)];
  if (tools.length === 0 && form.extraBody['tool_choice'] !== null) request.tool_choice = form.none;
}

/** The tools of calls, where the agent has none any more. */
function formerTools(calls: readonly CallRecord[]): readonly OfferedTool[] {
  return [...new Set(calls.map(({ name }) => name))].map((name) => ({
    name,
    description: '',
    inputSchema: { type: 'object', properties: {} },
  }));
}
