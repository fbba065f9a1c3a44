import type { PageToolDeclaration } from '../../../protocol/page-tools.ts';
import type { PageTool } from '../../config/page-tool.ts';

/** Most tools that are declared. */
export const maxTools = 64;
/** Longest list of declarations, in characters of JSON. */
const maxLength = 32_000;
const maxTitle = 100;
const maxDescription = 1000;

/** Tools as they are declared to the agent, and the names of those that were left out. */
export interface DeclaredTools {
  readonly declared: readonly PageToolDeclaration[];
  readonly leftOut: readonly string[];
}

/** Declares tools, as many as fit. Titles and descriptions are cut. */
export function declareTools(tools: Iterable<PageTool>): DeclaredTools {
  const declared: PageToolDeclaration[] = [];
  const leftOut: string[] = [];
  let length = 2;
  for (const tool of tools) {
    const declaration = declarationOf(tool);
    const added = declaration ? JSON.stringify(declaration).length + 1 : Infinity;
    if (declaration && declared.length < maxTools && length + added <= maxLength) {
      declared.push(declaration);
      length += added;
    } else leftOut.push(String(tool.name).slice(0, 64));
  }
  return { declared, leftOut };
}

/** Whether a tool has a name for the agent and a function; untyped pages may pass anything. */
export function isTool(tool: PageTool): boolean {
  return /^[\w.-]{1,64}$/.test(tool.name) && typeof tool.execute === 'function';
}

/** Title for the visitor: plain text of limited length. */
export function titleOf({ title, name }: Pick<PageTool, 'title' | 'name'>): string {
  return cut(title, maxTitle) || name;
}

function declarationOf(tool: PageTool): PageToolDeclaration | undefined {
  if (!isTool(tool)) return undefined;
  const { name, inputSchema } = tool;
  try {
    return {
      name,
      title: titleOf(tool),
      description: cut(tool.description, maxDescription),
      // as it goes out: without functions and cycles
      input_schema: JSON.parse(JSON.stringify(inputSchema ?? { type: 'object', properties: {} })) as Record<
        string,
        unknown
      >,
      read_only: tool.readOnly === true,
    };
  } catch {
    return undefined;
  }
}

function cut(text: unknown, maxTextLength: number): string {
  if (typeof text !== 'string') return '';
  const plain = text.trim();
  return plain.length > maxTextLength ? `${plain.slice(0, maxTextLength - 1)}…` : plain;
}
