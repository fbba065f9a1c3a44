import type { Tool } from '@modelcontextprotocol/client';
import type { CallOptions } from './call-options.ts';
import type { McpConnection } from './mcp-connection.ts';
import { withPageTools, type PageTool } from './page-tools.ts';
import type { JsonObject, ToolDefinition, ToolResult } from './tool-call.ts';
import { isIncluded, titleOf } from './tool-names.ts';
import { readToolResult } from './tool-result.ts';
import type { ServerSettings, ToolSettings } from './tool-settings.ts';

/** Reports for the operator. */
export interface ToolReports {
  readonly note: (text: string) => void;
  /** A call that was sent, or could not be. */
  readonly called: (call: {
    readonly server: string;
    readonly tool: string;
    readonly failed: boolean;
    readonly seconds: number;
  }) => void;
}

/** Most tools that a model is offered. */
const maxTools = 128;
const maxDescriptionLength = 4_000;

/** The tools of an agent: those of its MCP servers, under names that are unique. */
export class Toolset {
  readonly settings: ToolSettings;
  readonly #reports: ToolReports;
  readonly #connect: (server: ServerSettings) => McpConnection;
  readonly #connections: ReadonlyMap<string, McpConnection>;

  private constructor(
    settings: ToolSettings,
    reports: ToolReports,
    connect: (server: ServerSettings) => McpConnection,
  ) {
    this.settings = settings;
    this.#reports = reports;
    this.#connect = connect;
    this.#connections = new Map(settings.servers.map((server) => [server.name, connect(server)]));
  }

  /** Creates the tools of an agent. The MCP library is loaded only for servers; it connects on first use. */
  static async open(settings: ToolSettings, reports: ToolReports): Promise<Toolset> {
    if (settings.servers.length === 0)
      return new Toolset(settings, reports, ({ name }) => {
        throw new Error(`there is no server "${name}"`);
      });
    const { McpConnection } = await import('./mcp-connection.ts');
    return new Toolset(settings, reports, (server) => new McpConnection(server, reports.note));
  }

  /**
   * Returns the tools that can be offered now. A server that cannot be reached offers those it had before.
   * @param ofPage the tools of the visitor's page
   */
  async list(ofPage: readonly PageTool[]): Promise<readonly ToolDefinition[]> {
    return withPageTools(await this.#listServers(), ofPage, maxTools);
  }

  async #listServers(): Promise<readonly ToolDefinition[]> {
    const perServer = await Promise.all(
      [...this.#connections.values()].map(async (connection) => {
        const { settings } = connection;
        const tools = await connection.tools();
        return tools
          .filter(({ name }) => isIncluded(name, settings.include))
          .map((tool) => ({ tool, settings }));
      }),
    );
    const offered = perServer.flat();
    if (offered.length > maxTools)
      this.#reports.note(`the agent has ${offered.length} tools; only the first ${maxTools} are offered`);
    const names = offered.map(({ tool }) => tool.name);
    const taken = new Set<string>();
    return offered.slice(0, maxTools).map(({ tool, settings }) => {
      const isShared = names.indexOf(tool.name) !== names.lastIndexOf(tool.name);
      const name = uniqueName(isShared ? `${settings.name}__${tool.name}` : tool.name, taken);
      return new ServerTool(tool, settings, name);
    });
  }

  /**
   * Calls a tool.
   * @throws ToolCallError, or the signal's reason when it aborts
   */
  async call(
    tool: ToolDefinition,
    args: JsonObject,
    options: Omit<CallOptions, 'timeoutMs'>,
  ): Promise<ToolResult> {
    const began = performance.now();
    let failed = true;
    const shared = this.#connections.get(tool.server);
    if (!shared) throw new Error(`there is no server "${tool.server}"`);
    const isPrivate = shared.isReservedFor(options.runId);
    const connection = isPrivate ? this.#connect(shared.settings) : shared;
    try {
      const ownName = tool instanceof ServerTool ? tool.ownName : tool.name;
      const result = await connection.call(ownName, args, {
        timeoutMs: this.settings.callTimeoutMs,
        ...options,
      });
      failed = result.isError === true;
      return readToolResult(result, this.settings.resultLimit);
    } finally {
      if (isPrivate) void connection.close();
      const seconds = (performance.now() - began) / 1000;
      this.#reports.called({ server: tool.server, tool: tool.name, failed, seconds });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
  }
}

class ServerTool implements ToolDefinition {
  readonly name: string;
  /** The server's name of the tool. */
  readonly ownName: string;
  readonly server: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly needsApproval: boolean;

  constructor(tool: Tool, settings: ServerSettings, name: string) {
    this.name = name;
    this.ownName = tool.name;
    this.server = settings.name;
    const title = settings.titles.get(tool.name) ?? tool.title ?? tool.annotations?.title;
    this.title = (title ?? titleOf(tool.name)).slice(0, 200);
    this.description = (tool.description ?? '').slice(0, maxDescriptionLength);
    this.inputSchema = tool.inputSchema;
    this.readOnly = tool.annotations?.readOnlyHint === true;
    this.idempotent = tool.annotations?.idempotentHint === true;
    const policy = settings.approveTools.get(tool.name) ?? settings.approve;
    this.needsApproval = policy === 'always' || (policy === 'writes' && !this.readOnly);
  }
}

/** A name that every chat-completions service accepts and that no other tool has. */
function uniqueName(toolName: string, taken: Set<string>): string {
  const base = toolName.replace(/[^\w-]/g, '_').slice(0, 60) || 'tool';
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
  taken.add(name);
  return name;
}
