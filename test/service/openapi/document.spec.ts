import { expect, test } from '@playwright/test';
import { endpoints, responseTypes, runEventKinds } from '../../../src/protocol/index.ts';
import { atOnce, collect, say, startService, type RunningService } from '../running-service.ts';

interface Document {
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, unknown> }> };
}
interface OperationObject {
  readonly operationId: string;
  readonly tags: string[];
  readonly parameters?: { name: string; in: string; example?: string; schema: unknown }[];
  readonly requestBody?: { content: Record<string, { example: unknown }> };
  readonly responses: Record<string, unknown>;
}

let running: RunningService;
let document: Document;
test.beforeAll(async () => {
  running = await startService({ facades: ['agui'] });
  document = (await (await fetch(`${running.address}/openapi.json`)).json()) as Document;
});
test.afterAll(() => running.close());

test('the document passes a linter without an error or a warning', async () => {
  // hundreds of modules, of which nobody else here needs one
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const config = await createConfig({
    extends: ['recommended'],
    // The document's own address is a loopback one here; one path of the interface ends in a slash.
    rules: {
      'no-server-example.com': 'off',
      'no-path-trailing-slash': 'off',
      'operation-4xx-response': 'error',
    },
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  expect(
    problems.map((problem) => `${problem.ruleId}: ${problem.message} ${problem.location[0]?.pointer ?? ''}`),
  ).toEqual([]);
});

test('the document names the kinds of events and of content items, and allows others', () => {
  const { RunEvent, ContentItem } = document.components.schemas;
  expect(RunEvent?.properties?.['event']).toEqual({ type: 'string', examples: runEventKinds });
  expect(ContentItem?.properties?.['response_type']).toEqual({
    type: ['string', 'null'],
    examples: responseTypes,
  });
});

test('the document has the five endpoints exactly, and the extensions under another tag', () => {
  const of = (tag: string) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        operation.tags.includes(tag) ? [`${method.toUpperCase()} ${path}`] : [],
      ),
    );
  expect(of('Interface').sort()).toEqual(
    [
      `POST ${endpoints.runStream.path('hub')}`,
      'PUT /v1/hub/agents/{id}/embedded-chat-config',
      'POST /api/v1/callback/{thread_id}',
      'POST /api/v1/notifications/',
      'DELETE /api/v1/notifications/{thread_id}',
    ].sort(),
  );
  expect(of('Extensions')).toHaveLength(12);
  expect(of('Extensions')).toContain('POST /api/v1/agui/{agent_id}');
});

test('the document contains exactly the routes of the service', () => {
  const undocumented = [
    '/openapi.json',
    '/agent-chat.js',
    '/agent-chat.json',
    '/chunks/*',
    '/agent-chat/:version/*',
    '/*',
  ];
  const routes = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) routes.add(`${method.toUpperCase()} ${path}`);
  }
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    expect(
      running.service.app.hasRoute({ method: method as 'GET', url: path.replace(/\{(\w+)\}/g, ':$1') }),
      route,
    ).toBe(true); // a method of the document
  }
  expect(undocumented.every((path) => !(path in document.paths))).toBe(true);
});

test('the document of a service without the AG-UI facade does not have it', async () => {
  const without = await startService();
  const { paths } = (await (await fetch(`${without.address}/openapi.json`)).json()) as Document;
  await without.close();
  expect(Object.keys(paths).filter((path) => path.includes('agui'))).toEqual([]);
});

test('every example is accepted by the running service', async () => {
  const events = await collect(running.client().runStream(say('hi', { agent_id: 'echo', ...atOnce })));
  const threadId = String(events[0]?.data['thread_id']);
  let sent = 0;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const example = operation.requestBody?.content['application/json']?.example;
      if (example === undefined) continue;
      // The thread of the examples is nobody's: one of ours stands in for it.
      const body = JSON.parse(
        JSON.stringify(example).replaceAll('3f2b8c52-9f5d-4f0e-8b8e-1d2c3b4a5f60', threadId),
      ) as unknown;
      const url = path.replace('{thread_id}', threadId).replace(/\{(agent_)?id\}/, 'demo');
      const response = await running.request(method.toUpperCase(), url, { body, token: running.serverKey });
      const text = await response.text();
      expect(Object.keys(operation.responses), `${operation.operationId}: ${text}`).toContain(
        String(response.status),
      );
      expect(response.status, text).toBeLessThan(300);
      sent += 1;
    }
  }
  expect(sent).toBe(6);
});

test('every error status of an endpoint is in the document', async () => {
  const events = await collect(running.client().runStream(say('hi', { agent_id: 'echo', ...atOnce })));
  const ids = { thread: String(events[0]?.data['thread_id']), run: String(events[0]?.data['run_id']) };
  const token = await running.token();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const refused: RequestInit[] = [
    { headers: {} },
    { headers: { ...headers, 'content-type': 'text/plain' }, body: 'hi' },
    { headers: { ...headers, 'content-encoding': 'gzip' }, body: '{}' },
    { headers, body: '{' },
    { headers, body: JSON.stringify('x'.repeat(running.settings.bodyLimit)) },
  ];
  const seen = new Set<number>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const url = path
        .replace('{thread_id}', ids.thread)
        .replace('{run_id}', ids.run)
        .replace(/\{(agent_)?id\}/, 'echo');
      for (const init of method === 'get' ? refused.slice(0, 1) : refused) {
        const response = await fetch(running.address + url, { ...init, method: method.toUpperCase() });
        const told = `${operation.operationId}: ${await response.text()}`;
        expect(Object.keys(operation.responses), told).toContain(String(response.status));
        seen.add(response.status);
      }
      // Of all that looks into the database, which may be away; of the rest while the service stops.
      expect('503' in operation.responses, operation.operationId).toBe(true);
      expect(operation.responses).toHaveProperty('default');
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining([401, 413, 415, 422]));
});

test('the limit of a list is a number in the document', () => {
  const parameters = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => operation.parameters ?? [])
    .filter((parameter) => parameter.name === 'limit');
  expect(parameters.map((parameter) => parameter.schema)).toEqual(
    [1, 2, 3].map(() => ({ type: 'integer', minimum: 1 })),
  );
});
