/**
 * A function of the page that the agent may ask the widget to run, as it is declared with each run in
 * `additional_parameters.page_tools`. At most 64 tools, 32 kB in all.
 * @assumed the interface has no tools of the page; this rides on its free fields
 */
export interface PageToolDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input_schema: Readonly<Record<string, unknown>>;
  /** Whether the page declares that the tool changes nothing. */
  readonly read_only: boolean;
}

/**
 * Asks the widget to run a page tool: `user_defined` of an item of the response type `user_defined`, in a message that
 * interrupts the run. Each `id` is run at most once.
 */
export interface PageToolCall {
  readonly type: 'page_tool_call';
  readonly id: string;
  /** As declared. */
  readonly name: string;
  /** As declared; for pages that do not have the tool. Default: the name. */
  readonly title?: string | null | undefined;
  readonly args?: Readonly<Record<string, unknown>> | null | undefined;
  /** ISO 8601. The result is not taken after it. Default: it does not end. */
  readonly expires_at?: string | null | undefined;
}

/**
 * What came of a call: `user_defined` of the only item of a new run's message. What a page returns is not to be
 * trusted.
 */
export interface PageToolResult {
  readonly type: 'page_tool_result';
  readonly id: string;
  /** Text, or any JSON value. Absent when it failed. */
  readonly content?: unknown;
  /**
   * `gone`: the page no longer has the tool. `declined`: the visitor did not allow it. `timeout`: it took too long.
   * `interrupted`: the page was left while it ran, so it may have happened. Else the error's own message.
   */
  readonly error?: string | undefined;
}
