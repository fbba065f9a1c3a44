import { expect, test } from '@playwright/test';
import type { AgentRun } from '../../../src/service/agents/agent.ts';
import { echoAgent } from '../../../src/service/agents/echo.ts';

async function answerTo(message: Partial<AgentRun['message']>): Promise<string> {
  const run: Partial<AgentRun> = {
    message: { id: 'm1', role: 'user', content: '', ...message },
    additionalParameters: { delay_ms: 0 },
    signal: new AbortController().signal,
  };
  let answer = '';
  for await (const event of echoAgent.run(run as AgentRun)) if (typeof event === 'string') answer += event;
  return answer;
}

test('a message of documents alone is answered with their ids, one with a text by the text', async () => {
  expect(await answerTo({ document_ids: ['d1', 'd2'] })).toBe('(attached documents, by id: d1, d2)');
  expect(await answerTo({ content: 'Read this.', document_ids: ['d1'] })).toBe('Read this.');
});
