import { expect, test } from '@playwright/test';
import type { PageTool } from '../../../../src/widget/config/page-tool.ts';
import { declareTools } from '../../../../src/widget/runtime/page-tools/declare-tools.ts';

const tool = (change: Partial<PageTool> = {}): PageTool => ({
  name: 'highlight',
  execute: () => 'done',
  ...change,
});

test('a tool is declared with its title, description and schema', () => {
  const inputSchema = { type: 'object', properties: { berth: { type: 'string' } } };
  const { declared } = declareTools([
    tool({ title: 'Highlight', description: ' Shows it. ', inputSchema, readOnly: true }),
  ]);
  expect(declared).toEqual([
    {
      name: 'highlight',
      title: 'Highlight',
      description: 'Shows it.',
      input_schema: inputSchema,
      read_only: true,
    },
  ]);
});

test('long titles and descriptions are cut', () => {
  const [declared] = declareTools([tool({ title: 'a'.repeat(500), description: 'b'.repeat(5000) })]).declared;
  expect(declared?.title).toHaveLength(100);
  expect(declared?.description).toHaveLength(1000);
});

test('at most 64 tools and 32 kB are declared; the others are named', () => {
  const many = Array.from({ length: 70 }, (_none, index) => tool({ name: `tool-${index}` }));
  expect(declareTools(many).declared).toHaveLength(64);
  expect(declareTools(many).leftOut).toEqual([
    'tool-64',
    'tool-65',
    'tool-66',
    'tool-67',
    'tool-68',
    'tool-69',
  ]);
  const heavy = Array.from({ length: 64 }, (_none, index) =>
    tool({ name: `tool-${index}`, description: 'x'.repeat(1000) }),
  );
  const { declared } = declareTools(heavy);
  expect(JSON.stringify(declared).length).toBeLessThanOrEqual(32_000);
  expect(declared.length).toBeGreaterThan(20);
});

test('what is no tool is left out', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const odd = [
    tool({ name: 'a b' }),
    tool({ name: 'c', execute: undefined as never }),
    tool({ inputSchema: cycle }),
  ];
  expect(declareTools(odd)).toEqual({ declared: [], leftOut: ['a b', 'c', 'highlight'] });
});
