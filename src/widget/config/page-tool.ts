/** What `execute` of a page tool gets beside its arguments. */
export interface PageToolOptions {
  /** Aborts when the call takes too long. */
  readonly signal: AbortSignal;
}

/** A function of the page that the agent may call. */
export interface PageTool {
  /** Name for the agent: letters, digits, `_`, `-` and `.`, at most 64. Registering it again replaces the tool. */
  readonly name: string;
  /** What it does, for the visitor: "Highlight a berth". Default: the name. */
  readonly title?: string | undefined;
  /** What it does and when to use it, for the agent. Cut after 1,000 characters. */
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. Default: an object without properties. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** Whether it changes nothing. The card says that this is the page's word. Default false. */
  readonly readOnly?: boolean | undefined;
  /**
   * When the visitor is asked: before each call (`ask`), before the first of a conversation (`once`), or not at all
   * (`never`; only for tools that are `readOnly`). Default `ask`.
   */
  readonly policy?: 'ask' | 'once' | 'never' | undefined;
  /**
   * Runs the tool. Returns text or any JSON value, or a promise of one; the agent receives what it throws.
   * @param args the agent's arguments, not checked against `inputSchema`
   */
  execute(args: Readonly<Record<string, unknown>>, options: PageToolOptions): unknown;
}
