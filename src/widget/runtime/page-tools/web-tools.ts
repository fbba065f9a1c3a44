import { isObject } from '../../../protocol/json.ts';
import type { PageTool } from '../../config/page-tool.ts';
import { modelContext, ownToolNames, type WebTool } from './model-context.ts';

/** Reads the tools that this page offers to browsers' agents; none where the browser has no WebMCP. */
export async function readWebTools(): Promise<readonly PageTool[]> {
  const context = modelContext();
  try {
    const tools = (await context?.getTools?.()) ?? [];
    // leave out the tools of frames, which belong to another page, and those that chats have registered
    const own = tools.filter(
      (tool) => (tool.window === undefined || tool.window === window) && !ownToolNames.has(tool.name),
    );
    return own.map((tool) => adapt(tool));
  } catch {
    return [];
  }
}

function adapt(tool: WebTool): PageTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schemaOf(tool.inputSchema),
    readOnly: tool.annotations?.readOnlyHint === true,
    execute: async (args, { signal }) => {
      const context = modelContext();
      if (!context?.executeTool) throw new Error('This browser no longer offers the tool');
      // the draft takes JSON text; browsers before it take the object
      const result = await context
        .executeTool(tool, JSON.stringify(args), { signal })
        .catch((error: unknown) => {
          if (isInputError(error)) return context.executeTool?.(tool, args, { signal });
          throw error;
        });
      return jsonOf(result);
    },
  };
}

/** Whether the browser refused the text and has not run the tool: a tool may throw a `TypeError`, too. */
function isInputError(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes('executeTool');
}

function schemaOf(schema: unknown): Record<string, unknown> | undefined {
  const read = jsonOf(schema);
  return isObject(read) ? { ...read } : undefined;
}

function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
