import { version } from '../version.ts';
import {
  errorStatuses,
  operations,
  type Operation,
  type OperationOptions,
  type Parameter,
} from './operations.ts';
import { componentSchemas, type SchemaName } from './schemas.ts';

const problemNames: Readonly<Record<number, string>> = {
  401: 'Missing or invalid token',
  403: 'Missing scope, or wrong tenant or origin',
  404: 'Not found, or not accessible',
  409: 'The id is in use for something else',
  413: 'Too large',
  415: 'Not JSON',
  422: 'A field is invalid; `loc` is its path',
  429: 'Too many requests; retry after `Retry-After` seconds',
  503: 'Unavailable; retry after `Retry-After` seconds',
};

/**
 * Creates the OpenAPI 3.1 document of a service, from the schemas that validate its requests. The `servers` are empty:
 * they are the address by which the service was asked.
 */
export function openApiDocument(options: OperationOptions): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations(options)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'agent-chat service',
      version,
      summary: 'Runs conversational agents and streams their answers.',
      description:
        'The five endpoints of the Agent Conversation Service Interface (tag Interface), and what this service offers beyond it (tag Extensions).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [],
    tags: [
      { name: 'Interface', description: 'The endpoints of the interface.' },
      { name: 'Extensions', description: 'Reading, replay and cancellation; the widget works without them.' },
      { name: 'Operations', description: 'For operators.' },
    ],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A JWT with `sub`, `tenant_id`, `exp` and `scope`, or an API key.',
        },
      },
      schemas: componentSchemas(),
    },
  };
}

const problemContent = { content: { 'application/json': { schema: reference('ValidationError') } } };

function describe(operation: Operation): Record<string, unknown> {
  const { success, body, scopes } = operation;
  const needs =
    scopes.length === 0 ? '' : ` Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description + needs,
    ...(scopes.length === 0 ? { security: [] } : {}),
    ...(operation.parameters ? { parameters: operation.parameters.map(describeParameter) } : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(body.schema), example: body.example } },
          },
        }
      : {}),
    responses: {
      [success.status]: { description: success.description, ...contentOf(success) },
      ...Object.fromEntries(
        errorStatuses(operation).map((status) => [
          status,
          {
            description: problemNames[status] ?? 'A problem',
            ...(status === 429 || status === 503
              ? {
                  headers: {
                    'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } },
                  },
                }
              : {}),
            ...problemContent,
          },
        ]),
      ),
      default: { description: 'Any other error', ...problemContent },
    },
  };
}

function describeParameter(parameter: Parameter): Record<string, unknown> {
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required ?? parameter.in === 'path',
    description: parameter.description,
    schema: parameter.counts
      ? { type: 'integer', minimum: 1 }
      : { type: 'string', ...(parameter.format ? { format: parameter.format } : {}) },
    ...(parameter.example === undefined ? {} : { example: parameter.example }),
  };
}

function contentOf({ schema, type }: Operation['success']): Record<string, unknown> {
  if (type === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } };
  if (schema === undefined) return {};
  if (type === undefined) return { content: { 'application/json': { schema: reference(schema) } } };
  if (type === 'events') return { content: { 'text/event-stream': { schema: reference(schema) } } };
  return {
    content: {
      'application/x-ndjson': { schema: reference(schema) },
      'text/event-stream': {
        schema: { type: 'string', description: 'Each event: `id`, `event`, and `data` as JSON.' },
      },
    },
  };
}

function reference(schema: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}
