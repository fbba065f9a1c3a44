import type { PageTool } from '../../config/page-tool.ts';

/** The result of a call, as the agent gets it. */
export type ToolOutcome = { readonly content: unknown } | { readonly error: string };

/** How long a tool may take, in milliseconds. */
export const timeoutMs = 60_000;
/** Longest result, in characters of JSON. */
const maxResultLength = 65_536;

/** Runs a tool. Never rejects: the agent is told of errors, of a timeout, and of a result that is not JSON. */
export async function runTool(
  tool: PageTool,
  args: Readonly<Record<string, unknown>>,
  limitMs = timeoutMs,
): Promise<ToolOutcome> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<ToolOutcome>((resolve) => {
    timer = setTimeout(() => {
      abort.abort(new DOMException('The tool took too long', 'TimeoutError'));
      resolve({ error: 'timeout' });
    }, limitMs);
  });
  try {
    // in a promise, so that what it throws at once is caught as well
    const running = Promise.resolve().then(() => tool.execute(args, { signal: abort.signal }));
    return await Promise.race([running.then(outcomeOf), timedOut]);
  } catch (error) {
    return { error: textOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Errors that say how a call ended, and hold no words of the page. */
const states: ReadonlySet<unknown> = new Set(['gone', 'declined', 'timeout', 'interrupted']);

/** Whether an outcome holds no words of the page. */
export function isStateOnly(outcome: ToolOutcome): boolean {
  return 'error' in outcome && states.has(outcome.error);
}

/** The words of what a tool threw, which may be anything. */
function textOf(thrown: unknown): string {
  let text = '';
  try {
    text = String((thrown as { message?: unknown } | undefined)?.message ?? thrown ?? '').slice(0, 1000);
  } catch {
    // an object without words
  }
  if (!text || text.startsWith('[object ')) return 'No reason given';
  return states.has(text) ? `The tool says: ${text}` : text;
}

/** What the agent gets when a result is not JSON: with an error, it could call the tool again, although it ran. */
const notJson: ToolOutcome = { content: 'The function ran. Its result is not JSON.' };

function outcomeOf(result: unknown): ToolOutcome {
  if (result === undefined) return { content: '' };
  const text = typeof result === 'string' ? result : jsonOf(result);
  if (text === undefined) return notJson;
  if (text.length > maxResultLength) return { content: `${text.slice(0, maxResultLength)}… (cut)` };
  return { content: typeof result === 'string' ? result : (JSON.parse(text) as unknown) };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // a cycle, or a BigInt
  }
}
