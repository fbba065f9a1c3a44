import type { ContentItem, StoredMessage } from '../../../src/protocol/index.ts';
import type { AgentEvent, AgentRun } from '../../../src/service/agents/agent.ts';
import type { Play } from './plays.ts';
import { say } from './speech.ts';

/** Calls a tool of the page: the one that is named, or the first. */
export const pageTool: Play = async function* (run, named) {
  const tools = declaredIn(run.additionalParameters['page_tools']);
  const tool = tools.find(({ name }) => name === named) ?? tools[0];
  if (!tool) {
    yield* say(run, 'This page offers no tools. [The map](/map.html) does.');
    return;
  }
  yield* say(run, 'I can show you berth **C 14**.');
  const call = {
    type: 'page_tool_call',
    id: `page-${run.runId}`,
    name: tool.name,
    args: /berth/.test(JSON.stringify(tool.schema)) ? { berth: 'C 14' } : {},
  };
  const content = [{ response_type: 'user_defined', id: call.id, user_defined: call }];
  yield { event: 'message.interrupt', data: { message: { role: 'assistant', content } } };
};

/** The result of a page tool in a message; `undefined` when it holds none. */
export function pageToolResultIn({ content }: Pick<StoredMessage, 'content'>): ContentItem | undefined {
  return Array.isArray(content)
    ? content.find((item) => fieldsOf(item['user_defined'])['type'] === 'page_tool_result')
    : undefined;
}

/** Says what came of a call. */
export async function* afterPageTool(run: AgentRun, item: ContentItem): AsyncGenerator<AgentEvent> {
  const { content, error } = fieldsOf(item['user_defined']);
  yield* say(
    run,
    error === undefined
      ? `The page says: “${typeof content === 'string' ? content : JSON.stringify(content)}”`
      : `That did not work on your page (\`${String(error as string).replaceAll('`', '')}\`). Berth **C 14** is on the second place of the upper pontoon.`,
  );
}

function declaredIn(value: unknown): readonly { readonly name: string; readonly schema: unknown }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    const { name, input_schema: schema } = fieldsOf(entry);
    return typeof name === 'string' ? [{ name, schema }] : [];
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
