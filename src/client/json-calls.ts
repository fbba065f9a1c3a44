import { endpoints, extensionEndpoints } from '../protocol/endpoints.ts';
import type {
  EmbeddedChatConfig,
  EmbeddedChatConfigResponse,
  ListedThread,
  Message,
  Notification,
  StoredMessage,
  ThreadChange,
  ThreadList,
} from '../protocol/index.ts';
import type { ListedMessage, RequestOptions, ThreadListOptions } from './agent-client.ts';
import type { Call, Requester } from './requester.ts';
import {
  readConfigResponse,
  readMessages,
  readNotification,
  readNotifications,
  readStoredMessage,
  readThread,
  readThreads,
} from './parse-response.ts';
import type { IdentifierPrefix } from './identifier-prefix.ts';
import type { StreamSettings } from './read-run-stream.ts';

// The calls with a JSON response. Separate from the streams: a page loads this module with its first such call.

/** Shared by all calls of one client. */
export interface ClientContext {
  readonly product: string;
  readonly requester: Requester;
  /** Loads the code that renames prefixed identifiers; undefined when the prefix is the default. */
  readonly prefix: (() => Promise<IdentifierPrefix>) | undefined;
  readonly streams: StreamSettings;
}

const jsonAccept = 'application/json, */*;q=0.1';

export async function putEmbeddedChatConfig(
  context: ClientContext,
  agentId: string,
  config: EmbeddedChatConfig,
  options: RequestOptions = {},
): Promise<EmbeddedChatConfigResponse> {
  const { method, path } = endpoints.putEmbeddedChatConfig;
  return readConfigResponse(
    await send(context, { method, path: path(context.product, agentId), body: config }, options),
  );
}

export async function postCallback(
  context: ClientContext,
  threadId: string,
  message: Message,
  options: RequestOptions = {},
): Promise<StoredMessage | undefined> {
  const { method, path } = endpoints.postCallback;
  const prefix = await context.prefix?.();
  const body: Message = prefix ? prefix.outgoing(message) : message;
  const text = await send(context, { method, path: path(context.product, threadId), body }, options);
  const stored = readStoredMessage(text);
  return prefix ? prefix.incoming(stored) : stored;
}

export async function createNotification(
  context: ClientContext,
  notification: Notification,
  options: RequestOptions = {},
): Promise<Notification | undefined> {
  const { method, path } = endpoints.createNotification;
  return readNotification(await send(context, { method, path: path(), body: notification }, options));
}

export async function deleteNotifications(
  context: ClientContext,
  threadId: string,
  options: RequestOptions = {},
): Promise<void> {
  await sendBare(context, endpoints.deleteNotifications, threadId, options);
}

export async function getEmbeddedChatConfig(
  context: ClientContext,
  agentId: string,
  options: RequestOptions = {},
): Promise<EmbeddedChatConfigResponse> {
  return readConfigResponse(
    await sendBare(context, extensionEndpoints.getEmbeddedChatConfig, agentId, options),
  );
}

export async function cancelRun(
  context: ClientContext,
  id: string,
  options: RequestOptions = {},
): Promise<void> {
  await sendBare(context, extensionEndpoints.cancelRun, id, options);
}

export async function listMessages(
  context: ClientContext,
  threadId: string,
  options: RequestOptions = {},
): Promise<readonly ListedMessage[]> {
  const text = await sendBare(context, extensionEndpoints.listMessages, threadId, options);
  const messages = readMessages(text, (diagnostic) => context.streams.onDiagnostic?.(diagnostic));
  const prefix = await context.prefix?.();
  return prefix ? messages.map((message) => prefix.incoming(message)) : messages;
}

export async function listThreads(
  context: ClientContext,
  { signal, query, before, limit, archived, agentId }: ThreadListOptions = {},
): Promise<ThreadList> {
  const { method, path } = extensionEndpoints.listThreads;
  const parameters = Object.entries({ query, before, limit, archived, agent_id: agentId }).flatMap(
    ([name, value]) => (value === undefined ? [] : [[name, String(value)]]),
  );
  const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
  return readThreads(await send(context, { method, path: path(context.product) + search }, { signal }));
}

export async function changeThread(
  context: ClientContext,
  threadId: string,
  change: ThreadChange,
  options: RequestOptions = {},
): Promise<ListedThread | undefined> {
  const { method, path } = extensionEndpoints.changeThread;
  return readThread(
    await send(context, { method, path: path(context.product, threadId), body: change }, options),
  );
}

export async function deleteThread(
  context: ClientContext,
  threadId: string,
  options: RequestOptions = {},
): Promise<void> {
  await sendBare(context, extensionEndpoints.deleteThread, threadId, options);
}

export async function listNotifications(
  context: ClientContext,
  threadId: string,
  options: RequestOptions = {},
): Promise<readonly Notification[]> {
  return readNotifications(await sendBare(context, extensionEndpoints.listNotifications, threadId, options));
}

/** Sends a request without a body. */
async function sendBare(
  context: ClientContext,
  endpoint: { readonly method: Call['method']; readonly path: (product: string, id: string) => string },
  id: string,
  options: RequestOptions,
): Promise<string> {
  return send(context, { method: endpoint.method, path: endpoint.path(context.product, id) }, options);
}

async function send(
  { requester }: ClientContext,
  call: Omit<Call, 'accept' | 'signal'>,
  options: RequestOptions,
): Promise<string> {
  const { text } = await requester.text({ ...call, accept: jsonAccept, signal: options.signal });
  return text;
}
