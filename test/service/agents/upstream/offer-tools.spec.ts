import { expect, test } from '@playwright/test';
import { offerTools } from '../../../../src/service/agents/upstream/offer-tools.ts';
import type { CallRecord, ToolDefinition } from '../../../../src/service/tools/tool-call.ts';

const tool = (name: string) =>
  ({ name, description: '', inputSchema: { type: 'object' } }) as unknown as ToolDefinition; // what is read
const call = { name: 'find_berth' } as CallRecord; // what is read

/** The tools and the choice of a request. */
function request(
  step: { tools?: ToolDefinition[]; offered?: ToolDefinition[]; calls?: CallRecord[] },
  extraBody: Record<string, unknown> = {},
) {
  const body: { tools?: unknown[]; tool_choice?: string } = Array.isArray(extraBody['tools'])
    ? { tools: extraBody['tools'] }
    : {};
  const form = { toTool: ({ name }: { name: string }): unknown => name, none: 'none', extraBody };
  offerTools(body, { tools: [], offered: [], calls: [], ...step }, form);
  return body;
}

test('tools of the agent stand beside those that the vendor executes', () => {
  const [find] = [tool('find')];
  expect(request({ tools: [find], offered: [find] }, { tools: ['search'] })).toEqual({
    tools: ['search', 'find'],
  });
});

test('after the last step the tools stay, and none may be called', () => {
  expect(request({ offered: [tool('find')], calls: [call, call] })).toEqual({
    tools: ['find'],
    tool_choice: 'none',
  });
});

test('calls of tools that are gone are defined by their names', () => {
  expect(request({ calls: [call, call] })).toEqual({ tools: ['find_berth'], tool_choice: 'none' });
});

test('where the agent has no tools any more, those of the vendor may be called', () => {
  expect(request({ calls: [call] }, { tools: ['search'] })).toEqual({ tools: ['search'] });
});

test('what extra_body leaves out is not sent', () => {
  const step = { offered: [tool('find')], calls: [call] };
  expect(request(step, { tools: null })).toEqual({});
  expect(request(step, { tool_choice: null })).toEqual({ tools: ['find'] });
});

test('a request without tools and calls has neither', () => {
  expect(request({})).toEqual({});
});
