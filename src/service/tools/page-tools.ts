import { isObject } from '../../protocol/json.ts';
import { cutText } from './tool-result.ts';
import { pageServer, type JsonObject, type PageAnswer, type ToolDefinition } from './tool-call.ts';

/** Begins the model's name of every page tool, so that no page can shadow a tool of a server. */
const namePrefix = 'page__';
const maxTools = 64;
/** Longest list of declarations, in characters of JSON. The widget counts the same. */
const maxLength = 32_000;
const maxTitle = 100;
const maxDescription = 1_000;
/** Longest answer of a page that is stored, in bytes. The model gets at most `result_limit`. */
const maxAnswer = 1_048_576;

/** A function of the visitor's page, as the model knows it. The page asks for consent, and runs it. */
export class PageTool implements ToolDefinition {
  readonly name: string;
  /** The page's name of the tool. */
  readonly ownName: string;
  readonly server = pageServer;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  /** Reading the page's answer again changes nothing. */
  readonly idempotent = true;
  readonly needsApproval = false;

  constructor(
    ownName: string,
    { title, description, input_schema: schema, read_only: readOnly }: JsonObject,
  ) {
    this.ownName = ownName;
    this.name = namePrefix + ownName.replace(/[^\w-]/g, '_').slice(0, 64 - namePrefix.length);
    this.title = textOf(title, maxTitle) || ownName;
    this.description = `A function of the web page that the visitor sees. ${textOf(description, maxDescription)}`;
    this.inputSchema =
      isObject(schema) && schema['type'] === 'object' ? schema : { type: 'object', properties: {} };
    this.readOnly = readOnly === true;
  }
}

/**
 * Reads the page's tools from the `additional_parameters` of a run. What is invalid, repeated or too much is left out
 * and reported.
 */
export function readPageTools(parameters: JsonObject, report: (text: string) => void): readonly PageTool[] {
  const declared = parameters['page_tools'];
  if (declared === undefined || declared === null) return [];
  const list: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
  const tools = new Map<string, PageTool>();
  let length = 2;
  for (const one of list.slice(0, maxTools)) {
    length += JSON.stringify(one ?? null).length + 1;
    if (length > maxLength) break;
    const tool = isObject(one) ? pageTool(one) : undefined;
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool);
  }
  if (tools.size < list.length)
    report(
      `page tools were left out: names need 1 to 64 letters, digits, "_", "-" or ".", and ${maxTools} tools with ${maxLength} characters of JSON are allowed`,
    );
  return [...tools.values()];
}

function pageTool(declaration: JsonObject): PageTool | undefined {
  const { name } = declaration;
  return typeof name === 'string' && /^[\w.-]{1,64}$/.test(name)
    ? new PageTool(name, declaration)
    : undefined;
}

/**
 * Adds the page's tools to those of the servers, as many as fit.
 * @param limit most tools that a model is offered
 */
export function withPageTools(
  ofServers: readonly ToolDefinition[],
  ofPage: readonly PageTool[],
  limit: number,
): readonly ToolDefinition[] {
  const taken = new Set(ofServers.map(({ name }) => name));
  const added = ofPage.filter(({ name }) => !taken.has(name));
  return [...ofServers, ...added.slice(0, Math.max(0, limit - ofServers.length))];
}

/** Whether the model's name of a tool is that of a page tool. */
export function isPageToolName(name: unknown): boolean {
  return typeof name === 'string' && name.startsWith(namePrefix);
}

/** Whether a call is one of the visitor's page. */
export function isPageCall({ server }: { readonly server: string }): boolean {
  return server === pageServer;
}

/** Reads what a page says of a call: an item whose `user_defined` is a `page_tool_result`. */
export function readPageAnswer({ content, error }: JsonObject): PageAnswer {
  if (error !== undefined && error !== null)
    return { error: (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 1_000) || 'failed' };
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
  return { text: cutText(text, maxAnswer) };
}

/** Errors of a page after which nobody knows whether the function ran to its end. */
const doubtful: ReadonlySet<string> = new Set(['timeout', 'interrupted']);
const explanations: ReadonlyMap<string, string> = new Map([
  ['gone', 'The page no longer has this function. It did not run.'],
  ['timeout', 'The function took too long. It may have run.'],
  [
    'interrupted',
    'The page was left while the function ran. It may have run. Do not repeat it without asking.',
  ],
]);

/** Reads the answer of a page to a call: its state, and the text for the model. */
export function pageOutcome({ text = '', error }: PageAnswer): {
  readonly state: 'done' | 'failed' | 'unknown';
  readonly text: string;
} {
  if (error === undefined) return { state: 'done', text };
  const state = doubtful.has(error) ? 'unknown' : 'failed';
  return { state, text: explanations.get(error) ?? `The function failed: ${error}` };
}

function textOf(value: unknown, limit: number): string {
  return typeof value === 'string' ? value.trim().slice(0, limit) : '';
}
