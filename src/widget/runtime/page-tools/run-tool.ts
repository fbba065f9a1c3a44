import type { PageTool } from '../../config/page-tool.ts';

/** What came of a call, as the agent gets it. */
export type ToolOutcome = { readonly content: unknown } | { readonly error: string };

/** How long a tool may take, in milliseconds. */
const timeLimit = 60_000;
/** Longest result, in characters of JSON. */
const maxLength = 65_536;

/** Runs a tool. Never rejects: an error, a time-out and a result that is no JSON are told to the agent. */
export async function runTool(
  tool: PageTool,
  args: Readonly<Record<string, unknown>>,
  limit = timeLimit,
): Promise<ToolOutcome> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<ToolOutcome>((resolve) => {
    timer = setTimeout(() => {
      abort.abort(new DOMException('The tool took too long', 'TimeoutError'));
      resolve({ error: 'timeout' });
    }, limit);
  });
  try {
    // in a promise, so that what it throws at once is caught as well
    const running = Promise.resolve().then(() => tool.execute(args, { signal: abort.signal }));
    return await Promise.race([running.then(contentOf), late]);
  } catch (error) {
    return { error: String(error instanceof Error ? error.message : error).slice(0, 1000) || 'failed' };
  } finally {
    clearTimeout(timer);
  }
}

function contentOf(result: unknown): ToolOutcome {
  if (result === undefined) return { content: '' };
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  if (text === undefined) return { error: 'The result is no JSON' };
  if (text.length > maxLength) return { content: `${text.slice(0, maxLength)}… (cut)` };
  return { content: typeof result === 'string' ? result : (JSON.parse(text) as unknown) };
}
