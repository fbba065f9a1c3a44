/** The part of WebMCP's `document.modelContext` that the chat uses. @source WebMCP, draft of October 2026 */
export interface ModelContext {
  getTools?(): Promise<readonly WebTool[]> | readonly WebTool[];
  executeTool?(tool: WebTool, input: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  registerTool?(tool: OfferedWebTool, options: { readonly signal: AbortSignal }): Promise<void> | undefined;
}

/** A tool of a page, as its browser lists it. */
export interface WebTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** An object, or JSON text. */
  readonly inputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean } | null;
  readonly window?: unknown;
}

/** A tool that the chat registers. */
export interface OfferedWebTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: { readonly untrustedContentHint: boolean };
  readonly execute: (input: unknown) => Promise<unknown>;
}

/** Names of the tools that chats of this page registered: they are not offered to the chats themselves. */
export const ownToolNames: Set<string> = new Set();

/** The browser's WebMCP entry, if any. `navigator.modelContext` is where an earlier draft had it. */
export function modelContext(): ModelContext | undefined {
  const { modelContext: current } = document as { readonly modelContext?: ModelContext };
  return current ?? (navigator as { readonly modelContext?: ModelContext }).modelContext;
}
