import { endpoints, extensionEndpoints } from '../../protocol/index.ts';
import type { Scope } from '../auth/caller.ts';
import { routePattern } from '../http/route-pattern.ts';
import { sampleConfig, sampleMessage, sampleNotification, sampleRun, sampleThreadId } from './samples.ts';
import type { SchemaName } from './schemas.ts';

/** One operation as the document tells of it. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As Fastify writes it, with `:name` for parameters. */
  readonly path: string;
  readonly tag: 'Interface' | 'Extensions' | 'Operations';
  readonly summary: string;
  readonly description: string;
  /** Any one of these is enough; none: no token is asked for. */
  readonly scopes: readonly Scope[];
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly schema: SchemaName; readonly example: unknown };
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: SchemaName;
    readonly type?: 'stream' | 'text';
  };
  readonly problems: readonly number[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly format?: 'uuid';
  /** A whole number from 1; else text. */
  readonly counts?: true;
  readonly required?: boolean;
  readonly example?: string;
}

const thread: Parameter = {
  name: 'thread_id',
  in: 'path',
  description: 'The thread.',
  format: 'uuid',
  example: sampleThreadId,
};
const run: Parameter = { name: 'run_id', in: 'path', description: 'The run.' };
const agent: Parameter = { name: 'id', in: 'path', description: 'The agent.', example: 'demo' };
const lastEvent: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Only events after this one. Absent: from the start.',
};
const streamed =
  'Server-sent events when `Accept` asks for `text/event-stream`, else one JSON object a line.';
/** Of all that asks for a token; 503 while the database or the key set is away. */
const access = [401, 403, 404, 429, 503] as const;
/** Of all that may carry a body, whether one is wanted or not. */
const sending = [...access, 413, 415, 422] as const;

/** Every operation of the service, the interface's five first. */
export function operations(product: string): readonly Operation[] {
  return [
    {
      id: 'runAgent',
      method: 'post',
      path: endpoints.runStream.path(product),
      tag: 'Interface',
      summary: 'Run an agent and stream the result',
      description: `Opens a run on a thread (a new one without \`thread_id\`) and streams its events. ${streamed} The same \`message.additional_properties.client_message_id\` never runs twice: the first run's events are sent again.`,
      scopes: ['run'],
      body: { schema: 'RunRequest', example: sampleRun },
      success: { status: 200, description: 'The run, event by event.', schema: 'RunEvent', type: 'stream' },
      problems: [...sending, 409],
    },
    {
      id: 'putEmbeddedChatConfig',
      method: 'put',
      path: routePattern(endpoints.putEmbeddedChatConfig, product, ':id'),
      tag: 'Interface',
      summary: 'Create or update the embedded chat config',
      description:
        'Replaces the config of an agent whole. Without `is_live` that stays as it was; a new config is live.',
      scopes: ['config'],
      parameters: [agent],
      body: { schema: 'EmbeddedChatConfig', example: sampleConfig },
      success: {
        status: 200,
        description: 'The config, with the script to paste.',
        schema: 'EmbeddedChatConfigResponse',
      },
      problems: [...sending],
    },
    {
      id: 'postCallback',
      method: 'post',
      path: routePattern(endpoints.postCallback, product, ':thread_id'),
      tag: 'Interface',
      summary: 'Post a callback message to a thread',
      description:
        'Adds a message to a thread from outside a run; it reaches everybody who follows the thread.',
      scopes: ['callback'],
      parameters: [thread],
      body: { schema: 'Message', example: sampleMessage },
      success: { status: 201, description: 'The message as it is kept.', schema: 'StoredMessage' },
      problems: [...sending, 409],
    },
    {
      id: 'createNotification',
      method: 'post',
      path: endpoints.createNotification.path(),
      tag: 'Interface',
      summary: 'Create a notification',
      description:
        'Says that something in a thread is unread. What is left out is filled in; the same record twice is kept once.',
      scopes: ['notify'],
      body: { schema: 'Notification', example: sampleNotification },
      success: { status: 201, description: 'The record as it is kept.', schema: 'Notification' },
      problems: [...sending, 409],
    },
    {
      id: 'deleteNotifications',
      method: 'delete',
      path: routePattern(endpoints.deleteNotifications, product, ':thread_id'),
      tag: 'Interface',
      summary: 'Delete the notifications of a thread',
      description: 'Removes all of them; also well when there is none.',
      scopes: ['notify'],
      parameters: [thread],
      success: { status: 204, description: 'Gone.' },
      problems: [...sending],
    },
    {
      id: 'getEmbeddedChatConfig',
      method: 'get',
      path: routePattern(extensionEndpoints.getEmbeddedChatConfig, product, ':id'),
      tag: 'Extensions',
      summary: 'Read the embedded chat config',
      description: 'What was put last, with the script.',
      scopes: ['run', 'config'],
      parameters: [agent],
      success: { status: 200, description: 'The config.', schema: 'EmbeddedChatConfigResponse' },
      problems: [...access],
    },
    {
      id: 'followRun',
      method: 'get',
      path: routePattern(extensionEndpoints.runEvents, product, ':run_id'),
      tag: 'Extensions',
      summary: 'Replay and follow a run',
      description: `Sends a run's events again and goes on until it ends. ${streamed}`,
      scopes: ['run'],
      parameters: [run, lastEvent],
      success: { status: 200, description: 'The run, event by event.', schema: 'RunEvent', type: 'stream' },
      problems: [...access, 422],
    },
    {
      id: 'cancelRun',
      method: 'post',
      path: routePattern(extensionEndpoints.cancelRun, product, ':run_id'),
      tag: 'Extensions',
      summary: 'Cancel a run',
      description:
        'By the id of the run or the `client_message_id` it was asked with. A cancel that overtakes its run is remembered for a minute (404, and the run is stopped when it comes).',
      scopes: ['run'],
      parameters: [run],
      success: { status: 202, description: 'The run ends, or has ended.', schema: 'CancelledRun' },
      problems: [...sending],
    },
    {
      id: 'listMessages',
      method: 'get',
      path: routePattern(extensionEndpoints.listMessages, product, ':thread_id'),
      tag: 'Extensions',
      summary: 'List the messages of a thread',
      description: 'The newest, oldest first.',
      scopes: ['run'],
      parameters: [
        thread,
        {
          name: 'limit',
          in: 'query',
          counts: true,
          description: 'How many at most (5000); fewer where those together are larger than 16 MiB.',
        },
        {
          name: 'before',
          in: 'query',
          description: 'Only messages before the one with this id.',
          format: 'uuid',
        },
      ],
      success: { status: 200, description: 'The messages.', schema: 'MessageList' },
      problems: [...access, 422],
    },
    {
      id: 'followThread',
      method: 'get',
      path: routePattern(extensionEndpoints.threadEvents, product, ':thread_id'),
      tag: 'Extensions',
      summary: 'Follow a thread',
      description: `Messages that come by callback arrive as \`message.created\`. Does not end by itself. ${streamed}`,
      scopes: ['run'],
      parameters: [thread, lastEvent],
      success: {
        status: 200,
        description: 'What comes in, event by event.',
        schema: 'RunEvent',
        type: 'stream',
      },
      problems: [...access, 422],
    },
    {
      id: 'deleteThread',
      method: 'delete',
      path: routePattern(extensionEndpoints.deleteThread, product, ':thread_id'),
      tag: 'Extensions',
      summary: 'Delete a thread',
      description:
        'Removes a thread with its messages, runs, events and notifications. Runs that are on end first.',
      scopes: ['run'],
      parameters: [thread],
      success: { status: 204, description: 'Gone.' },
      problems: [...sending],
    },
    {
      id: 'listNotifications',
      method: 'get',
      path: endpoints.createNotification.path(),
      tag: 'Extensions',
      summary: 'List the notifications of a thread',
      description: 'The newest, oldest first.',
      scopes: ['notify'],
      parameters: [
        { ...thread, in: 'query', required: true },
        {
          name: 'limit',
          in: 'query',
          counts: true,
          description: 'How many at most (1000); fewer where those together are larger than 16 MiB.',
        },
        {
          name: 'before',
          in: 'query',
          description: 'Only notifications before the one with this id.',
          format: 'uuid',
        },
      ],
      success: { status: 200, description: 'The notifications.', schema: 'NotificationList' },
      problems: [...access, 422],
    },
    {
      id: 'isAlive',
      method: 'get',
      path: '/healthz',
      tag: 'Operations',
      summary: 'Whether the process lives',
      description: 'Answers without looking at the database.',
      scopes: [],
      success: { status: 200, description: 'It lives.', schema: 'Health' },
      problems: [404, 503],
    },
    {
      id: 'isReady',
      method: 'get',
      path: '/readyz',
      tag: 'Operations',
      summary: 'Whether it may be sent work',
      description: 'Asks the database.',
      scopes: [],
      success: { status: 200, description: 'It may.', schema: 'Health' },
      problems: [404, 503],
    },
    {
      id: 'readMetrics',
      method: 'get',
      path: '/metrics',
      tag: 'Operations',
      summary: 'Metrics for Prometheus',
      description: 'In the text format. Keep it from the public at the proxy.',
      scopes: [],
      success: { status: 200, description: 'The metrics.', type: 'text' },
      problems: [404, 503],
    },
  ];
}
