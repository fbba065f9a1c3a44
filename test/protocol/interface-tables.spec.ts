import { expect, test } from '@playwright/test';
import * as z from 'zod/mini';
import * as protocol from '../../src/protocol/index.ts';
import { copiedTables, documentIsThere, interfaceTables, type TableRow } from '../tools/interface-tables.ts';

const tables = interfaceTables();

/** Each table of the interface with the schema that must hold it. */
const schemas: Record<string, z.ZodMiniType> = {
  'Message (request object)': protocol.messageSchema,
  'Content item': protocol.contentItemSchema,
  Mention: protocol.mentionSchema,
  'Additional properties': protocol.additionalPropertiesSchema,
  'Model parameters (`llm_params`)': protocol.llmParamsSchema,
  'Guardrails (`guardrails`)': protocol.guardrailSchema,
  'Run event (response item of the stream)': protocol.runEventSchema,
  'Embedded chat config': protocol.embeddedChatConfigResponseSchema,
  'Notification record': protocol.notificationSchema,
  'Validation error body': protocol.validationErrorSchema,
  '1. Run an agent and stream the result': protocol.runRequestSchema,
};

const uuid = '123e4567-e89b-12d3-a456-426614174000';

/** A right and a wrong value for a type in the interface's words. */
function samples(type: string): { right: unknown; wrong: unknown } {
  if (/^array/.test(type)) return { right: [], wrong: 5 };
  if (/^object/.test(type)) return { right: {}, wrong: 'text' };
  if (/uuid/.test(type)) return { right: uuid, wrong: 'no-uuid' };
  if (/date-time/.test(type)) return { right: '2026-01-31T09:41:00Z', wrong: 'yesterday' };
  if (/^string/.test(type)) return { right: 'text', wrong: 5 };
  if (/^integer/.test(type)) return { right: 3, wrong: 3.5 };
  if (/^number/.test(type)) return { right: 0.5, wrong: 'text' };
  if (/^boolean/.test(type)) return { right: true, wrong: 'true' };
  return { right: {}, wrong: 5 };
}

/** What an object must have beside the field under test. */
function base(table: string): Record<string, unknown> {
  if (table === 'Embedded chat config') return { layout: {} };
  if (table === 'Notification record') return { thread_id: uuid };
  if (table === 'Run event (response item of the stream)') return { id: '1', event: 'done', data: {} };
  if (table === 'Validation error body') return { detail: [] };
  if (table.startsWith('1.')) return { message: {} };
  return {};
}

function at(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

function merge(one: Record<string, unknown>, other: unknown): Record<string, unknown> {
  return { ...one, ...(other as Record<string, unknown>) };
}

function fieldsInWords(type: string): TableRow[] {
  // "object: `enabled` boolean, `threshold` number" and "`input_text`, `token_ranks` (all boolean), `top_n_tokens`
  // (integer)"
  const all = /\(all (\w+)\)/.exec(type)?.[1];
  return [...type.matchAll(/`(\w+)`(?: \(?(\w+))?/g)].map(([, field = '', kind]) => ({
    field,
    type: !kind || kind === 'all' ? (all ?? '') : kind,
  }));
}

test('the copied tables equal those of the interface', () => {
  test.skip(!documentIsThere, 'the interface document is not beside this checkout');
  expect(copiedTables()).toEqual(tables);
});

test('every table of the interface has a schema', () => {
  const fieldTables = Object.keys(tables).filter((heading) => heading !== 'Events');
  expect(Object.keys(schemas).sort()).toEqual(fieldTables.sort());
});

for (const [heading, schema] of Object.entries(schemas)) {
  for (const { field, type } of tables[heading] ?? []) {
    test(`${heading}: ${field} is checked as ${type.slice(0, 60)}`, () => {
      const path = field.split('.');
      const known = base(heading);
      const { right, wrong } = samples(type);
      const nested = /^object:/.test(type) ? fieldsInWords(type) : [];
      expect(z.safeParse(schema, merge(known, at(path, right))).error?.issues ?? []).toEqual([]);
      const fault = z.safeParse(schema, merge(known, at(path, wrong)));
      expect(fault.success, `${field} must not take ${JSON.stringify(wrong)}`).toBe(false);
      expect(fault.error?.issues[0]?.path.slice(0, path.length)).toEqual(path);
      for (const inner of nested) {
        const kind = samples(inner.type.replace('array', 'array of'));
        expect(z.safeParse(schema, merge(known, at([...path, inner.field], kind.right))).success).toBe(true);
        const innerFault = z.safeParse(schema, merge(known, at([...path, inner.field], kind.wrong)));
        expect(innerFault.success, `${field}.${inner.field}`).toBe(false);
      }
    });
  }
}

test('the event kinds are the interface’s, in its order', () => {
  const listed = (tables['Events'] ?? []).flatMap(({ type }) =>
    [...type.matchAll(/`([\w.]+)`/g)].map((kind) => kind[1]),
  );
  expect(listed).toHaveLength(21);
  expect(protocol.runEventKinds).toEqual(listed);
});

test('guardrails have the three members, each with input, output and mask', () => {
  for (const member of ['hap', 'social_bias', 'pii']) {
    const right = {
      [member]: { input: { enabled: true, threshold: 0.5 }, mask: { remove_entity_value: true } },
    };
    expect(z.safeParse(protocol.guardrailsSchema, right).success).toBe(true);
    expect(
      z.safeParse(protocol.guardrailsSchema, { [member]: { input: { threshold: 'high' } } }).success,
    ).toBe(false);
  }
});

test('unknown keys of objects are kept', () => {
  const item = { response_type: 'text', text: 'Hello', extra: { deep: [1] } };
  const request = { message: { content: [item], note: 'kept' }, later: true };
  expect(z.parse(protocol.runRequestSchema, request)).toEqual(request);
});

test('null in an optional field counts as absent', () => {
  expect(
    z.safeParse(protocol.runRequestSchema, { message: {}, thread_id: null, llm_params: null }).success,
  ).toBe(true);
});

test('paths have the interface’s prefixes and trailing slash', () => {
  const { endpoints } = protocol;
  expect(endpoints.runStream.path('hub')).toBe('/api/v1/hub/runs/stream');
  expect(endpoints.putEmbeddedChatConfig.path('hub', 'a b')).toBe(
    '/v1/hub/agents/a%20b/embedded-chat-config',
  );
  expect(endpoints.postCallback.path('hub', uuid)).toBe(`/api/v1/callback/${uuid}`);
  expect(endpoints.createNotification.path()).toBe('/api/v1/notifications/');
  expect(endpoints.deleteNotifications.path('hub', uuid)).toBe(`/api/v1/notifications/${uuid}`);
});
