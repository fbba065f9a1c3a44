import { endpoints, extensionEndpoints, type Endpoint } from '../../protocol/index.ts';
import type { Scope } from '../auth/caller.ts';
import { routePattern, subjectPattern } from '../http/route-pattern.ts';
import {
  sampleAguiInput,
  sampleConfig,
  sampleMessage,
  sampleNotification,
  sampleRun,
  sampleThreadId,
} from './samples.ts';
import type { SchemaName } from './schemas.ts';

/** One operation of the document. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In Fastify's syntax, with `:name` for parameters. */
  readonly path: string;
  readonly tag: 'Interface' | 'Extensions' | 'Operations';
  readonly summary: string;
  readonly description: string;
  /** One of these scopes is required; none: the operation needs no token. */
  readonly scopes: readonly Scope[];
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly schema: SchemaName; readonly example: unknown };
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema?: SchemaName;
    /** `events`: server-sent events only. */
    readonly type?: 'stream' | 'events' | 'text';
  };
  /** Error statuses besides those that `errorStatuses` knows. */
  readonly problems?: readonly number[];
}

/** Returns the statuses of an operation's errors. 503: the database or the key set is unavailable. */
export function errorStatuses({ scopes, method, problems = [] }: Operation): readonly number[] {
  if (scopes.length === 0) return [404, 503];
  const access = [401, 403, 404, 429, 503];
  // the service accepts a body with all other methods, even if it does not use it
  return method === 'get' ? [...access, ...problems] : [...access, 413, 415, 422, ...problems];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly format?: 'uuid';
  /** An integer of at least 1; otherwise a string. */
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
const subject: Parameter = {
  name: 'subject',
  in: 'path',
  description: 'The visitor: the subject of their tokens.',
};
const lastEvent: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Send only events after this one. Default: all events.',
};
const streamed =
  'Server-sent events when `Accept` is `text/event-stream`, otherwise one JSON object per line.';
/** The query parameters of a list. */
function pageOf(entries: string, most: number): readonly Parameter[] {
  return [
    {
      name: 'limit',
      in: 'query',
      counts: true,
      description: `Maximum number (default and limit: ${most}); fewer if they exceed 16 MiB.`,
    },
    {
      name: 'before',
      in: 'query',
      description: `Only ${entries} before the one with this id.`,
      format: 'uuid',
    },
  ];
}

/** What a service offers. */
export interface OperationOptions {
  readonly productPath: string;
  /** Further protocols in which agents are served. */
  readonly facades: readonly string[];
}

const aguiRun: Operation = {
  id: 'runAguiAgent',
  method: 'post',
  path: '/api/v1/agui/:agent_id',
  tag: 'Extensions',
  summary: 'Run an agent for an AG-UI client',
  description:
    'Serves any agent by AG-UI 1.0, with `FACADES=agui`. The run is stored like any other; `threadId` and `runId` are the client’s own. A repeated `runId` reads the run from its start. The headers `X-Thread-Id` and `X-Run-ID` have the ids of the interface.',
  scopes: ['run'],
  parameters: [{ name: 'agent_id', in: 'path', description: 'The agent.', example: 'demo' }],
  body: { schema: 'AguiRunInput', example: sampleAguiInput },
  success: { status: 200, description: 'The events of the run.', schema: 'AguiEvent', type: 'events' },
  problems: [409],
};

/** Returns all operations of a service, the interface's five first. */
export function operations({ productPath: product, facades }: OperationOptions): readonly Operation[] {
  const located = (tag: Operation['tag']) => (endpoint: Endpoint<[string]>, parameter?: `:${string}`) => ({
    tag,
    method: endpoint.method.toLowerCase() as Lowercase<typeof endpoint.method>,
    path: routePattern(endpoint, product, parameter),
  });
  const standard = located('Interface');
  const extension = located('Extensions');
  return [
    {
      id: 'runAgent',
      ...standard(endpoints.runStream),
      summary: 'Run an agent and stream the result',
      description: `Opens a run on a thread (a new one without \`thread_id\`) and streams its events. ${streamed} A repeated \`message.additional_properties.client_message_id\` does not run again: the events of the first run are sent. The header \`X-Run-ID\` has the run's id before the first event.`,
      scopes: ['run'],
      body: { schema: 'RunRequest', example: sampleRun },
      success: { status: 200, description: 'The run, event by event.', schema: 'RunEvent', type: 'stream' },
      problems: [409],
    },
    {
      id: 'putEmbeddedChatConfig',
      ...standard(endpoints.putEmbeddedChatConfig, ':id'),
      summary: 'Create or update the embedded chat config',
      description:
        'Replaces the whole config of an agent. Without `is_live`, its value is kept; a new config is live.',
      scopes: ['config'],
      parameters: [agent],
      body: { schema: 'EmbeddedChatConfig', example: sampleConfig },
      success: {
        status: 200,
        description: 'The config, with the script to paste.',
        schema: 'EmbeddedChatConfigResponse',
      },
    },
    {
      id: 'postCallback',
      ...standard(endpoints.postCallback, ':thread_id'),
      summary: 'Post a callback message to a thread',
      description: 'Adds a message to a thread from outside a run. All followers of the thread receive it.',
      scopes: ['callback'],
      parameters: [thread],
      body: { schema: 'Message', example: sampleMessage },
      success: { status: 201, description: 'The stored message.', schema: 'StoredMessage' },
      problems: [409],
    },
    {
      id: 'createNotification',
      ...standard(endpoints.createNotification),
      summary: 'Create a notification',
      description:
        'Marks something in a thread as unread. Missing fields are filled in; a repeated record is stored once.',
      scopes: ['notify'],
      body: { schema: 'Notification', example: sampleNotification },
      success: { status: 201, description: 'The stored record.', schema: 'Notification' },
      problems: [409],
    },
    {
      id: 'deleteNotifications',
      ...standard(endpoints.deleteNotifications, ':thread_id'),
      summary: 'Delete the notifications of a thread',
      description: 'Deletes all of them. Succeeds if there are none.',
      scopes: ['notify'],
      parameters: [thread],
      success: { status: 204, description: 'Deleted.' },
    },
    {
      id: 'getEmbeddedChatConfig',
      ...extension(extensionEndpoints.getEmbeddedChatConfig, ':id'),
      summary: 'Read the embedded chat config',
      description: 'Returns the current config with the script tag.',
      scopes: ['run', 'config'],
      parameters: [agent],
      success: { status: 200, description: 'The config.', schema: 'EmbeddedChatConfigResponse' },
    },
    {
      id: 'followRun',
      ...extension(extensionEndpoints.runEvents, ':run_id'),
      summary: 'Replay and follow a run',
      description: `Replays the events of a run and follows it until it ends. Identifies the run by its id or its \`client_message_id\`. ${streamed}`,
      scopes: ['run'],
      parameters: [run, lastEvent],
      success: { status: 200, description: 'The run, event by event.', schema: 'RunEvent', type: 'stream' },
      problems: [422],
    },
    {
      id: 'cancelRun',
      ...extension(extensionEndpoints.cancelRun, ':run_id'),
      summary: 'Cancel a run',
      description:
        'Identifies the run by its id or its `client_message_id`. If the run does not exist yet, the response is 404, and a run that arrives within a minute is cancelled.',
      scopes: ['run'],
      parameters: [run],
      success: { status: 202, description: 'The run is ending or has ended.', schema: 'CancelledRun' },
    },
    {
      id: 'listMessages',
      ...extension(extensionEndpoints.listMessages, ':thread_id'),
      summary: 'List the messages of a thread',
      description: 'Returns the newest ones, in chronological order.',
      scopes: ['run'],
      parameters: [thread, ...pageOf('messages', 5000)],
      success: { status: 200, description: 'The messages.', schema: 'MessageList' },
      problems: [422],
    },
    {
      id: 'followThread',
      ...extension(extensionEndpoints.threadEvents, ':thread_id'),
      summary: 'Follow a thread',
      description: `Callback messages arrive as \`message.created\`. The stream does not end by itself. ${streamed}`,
      scopes: ['run'],
      parameters: [thread, lastEvent],
      success: {
        status: 200,
        description: 'The callback messages, event by event.',
        schema: 'RunEvent',
        type: 'stream',
      },
      problems: [422],
    },
    {
      id: 'listThreads',
      ...extension(extensionEndpoints.listThreads),
      summary: 'List or search the threads of the caller',
      description:
        'Without `query`: the threads with the newest messages first. With it: the threads with all of its words in the title or in one message, the newest match first, with an excerpt in `match`. Words may be incomplete at their end; case and accents do not matter; of scripts without spaces, any part is found. Threads of agents that the page’s origin may not use are left out.',
      scopes: ['run'],
      parameters: [
        { name: 'query', in: 'query', description: 'Words to find, at most 200 characters.' },
        { name: 'before', in: 'query', description: '`next` of the previous response to the same query.' },
        {
          name: 'limit',
          in: 'query',
          counts: true,
          description: 'Maximum number (default 30, limit 100).',
        },
        {
          name: 'archived',
          in: 'query',
          description: '`true`: only archived threads; `false`: only others (default).',
        },
        { name: 'agent_id', in: 'query', description: 'Only threads of this agent.' },
      ],
      success: { status: 200, description: 'The threads.', schema: 'ThreadList' },
      problems: [422],
    },
    {
      id: 'changeThread',
      ...extension(extensionEndpoints.changeThread, ':thread_id'),
      summary: 'Rename or archive a thread',
      description:
        'Changes what the body names. An empty `title` gives the thread back the title of its agent, or its first words.',
      scopes: ['run'],
      parameters: [thread],
      body: { schema: 'ThreadChange', example: { title: 'Berths for the regatta', archived: false } },
      success: { status: 200, description: 'The thread.', schema: 'ListedThread' },
    },
    {
      id: 'deleteThread',
      ...extension(extensionEndpoints.deleteThread, ':thread_id'),
      summary: 'Delete a thread',
      description:
        'Deletes a thread with its messages, runs, events and notifications. Active runs end first.',
      scopes: ['run'],
      parameters: [thread],
      success: { status: 204, description: 'Deleted.' },
    },
    {
      id: 'listNotifications',
      ...extension(extensionEndpoints.listNotifications, ':thread_id'),
      summary: 'List the notifications of a thread',
      description: 'Returns the newest ones, in chronological order.',
      scopes: ['notify'],
      parameters: [{ ...thread, in: 'query', required: true }, ...pageOf('notifications', 1000)],
      success: { status: 200, description: 'The notifications.', schema: 'NotificationList' },
      problems: [422],
    },
    {
      id: 'exportSubject',
      method: 'get',
      path: subjectPattern(product),
      tag: 'Extensions',
      summary: 'Export the data of a person',
      description:
        'Returns everything that is stored of a visitor: threads with messages (newest first), runs with their events, notifications and decisions, and the usage of the last month. For API keys only.',
      scopes: ['admin'],
      parameters: [subject],
      success: { status: 200, description: 'The data.', schema: 'SubjectExport' },
      problems: [422],
    },
    {
      id: 'eraseSubject',
      method: 'delete',
      path: subjectPattern(product),
      tag: 'Extensions',
      summary: 'Erase the data of a person',
      description:
        'Ends the runs of a visitor and deletes everything that is stored of them. Succeeds if there is nothing. For API keys only.',
      scopes: ['admin'],
      parameters: [subject],
      success: { status: 200, description: 'How much was deleted.', schema: 'SubjectErasure' },
    },
    ...(facades.includes('agui') ? [aguiRun] : []),
    {
      id: 'isAlive',
      method: 'get',
      path: '/healthz',
      tag: 'Operations',
      summary: 'Liveness',
      description: 'Does not check the database.',
      scopes: [],
      success: { status: 200, description: 'The process is running.', schema: 'Health' },
    },
    {
      id: 'isReady',
      method: 'get',
      path: '/readyz',
      tag: 'Operations',
      summary: 'Readiness',
      description: 'Checks the database.',
      scopes: [],
      success: { status: 200, description: 'The service is ready.', schema: 'Health' },
    },
    {
      id: 'readMetrics',
      method: 'get',
      path: '/metrics',
      tag: 'Operations',
      summary: 'Metrics for Prometheus',
      description: 'In the text format. Block public access at the proxy.',
      scopes: [],
      success: { status: 200, description: 'The metrics.', type: 'text' },
    },
  ];
}
