import { isObject } from '../../../protocol/json.ts';
import type { PageTool } from '../../config/page-tool.ts';

/** The part of WebMCP's `document.modelContext` that reads and calls tools. @source WebMCP, draft of October 2026 */
interface ModelContext {
  getTools?(): Promise<readonly WebTool[]> | readonly WebTool[];
  executeTool?(tool: WebTool, input: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
}

interface WebTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** An object, or JSON text. */
  readonly inputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean } | null;
  readonly window?: unknown;
}

/** Reads the tools that this page offers to browsers' agents; none where the browser has no WebMCP. */
export async function readWebTools(): Promise<readonly PageTool[]> {
  const context = modelContext();
  try {
    const tools = (await context?.getTools?.()) ?? [];
    // those of frames are not this page's
    const own = tools.filter((tool) => tool.window === undefined || tool.window === window);
    return own.map((tool) => adapt(tool));
  } catch {
    return [];
  }
}

/** `navigator.modelContext` is the draft's former place. */
function modelContext(): ModelContext | undefined {
  const { modelContext: current } = document as { readonly modelContext?: ModelContext };
  return current ?? (navigator as { readonly modelContext?: ModelContext }).modelContext;
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
      if (!context?.executeTool) throw new Error('gone');
      // the draft takes JSON text; browsers before it take the object
      const result = await context
        .executeTool(tool, JSON.stringify(args), { signal })
        .catch((error: unknown) => {
          if (error instanceof TypeError) return context.executeTool?.(tool, args, { signal });
          throw error;
        });
      return jsonOf(result);
    },
  };
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
