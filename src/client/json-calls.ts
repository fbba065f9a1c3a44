import { endpoints, extensionEndpoints, type Endpoint } from '../protocol/endpoints.ts';
import { compareClocks } from '../protocol/service-clock.ts';
import type { AgentClient, AgentClientExtensions, RequestOptions } from './agent-client.ts';
import { NetworkError, TimeoutError } from './errors.ts';
import {
  readConfigResponse,
  readMessages,
  readNotification,
  readNotifications,
  readStoredMessage,
  readThread,
  readThreads,
} from './parse-response.ts';
import type { StreamSettings } from './read-run-stream.ts';
import type { Call } from './requester.ts';

// The calls with a JSON response. Separate from the streams: a page loads this module with its first such call.

/** Shared by all calls of one client. */
export interface ClientContext extends StreamSettings {
  readonly product: string;
}

export type JsonCalls = Omit<AgentClient, 'baseUrl' | 'runStream' | 'extensions'> &
  Omit<AgentClientExtensions, 'runEvents' | 'threadEvents'>;

const jsonAccept = 'application/json, */*;q=0.1';

export function createJsonCalls(context: ClientContext): JsonCalls {
  const { product, requester } = context;
  const send = async (
    call: Pick<Call, 'method' | 'path' | 'body'>,
    { signal }: RequestOptions = {},
  ): Promise<string> => {
    const opened = await requester.open({ ...call, accept: jsonAccept, signal });
    compareClocks(opened.response.headers);
    try {
      return await requester.readText(opened);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof TimeoutError ? error : new NetworkError(opened.url, { cause: error });
    } finally {
      opened.close();
    }
  };
  /** Sends a request without a body. */
  const sendBare = (
    { method, path }: Endpoint<[id: string]>,
    id: string,
    options?: RequestOptions,
  ): Promise<string> => send({ method, path: path(product, id) }, options);
  return {
    async putEmbeddedChatConfig(agentId, config, options) {
      const { method, path } = endpoints.putEmbeddedChatConfig;
      return readConfigResponse(await send({ method, path: path(product, agentId), body: config }, options));
    },
    async postCallback(threadId, message, options) {
      const { method, path } = endpoints.postCallback;
      const prefix = await context.prefix?.();
      const body = prefix ? prefix.outgoing(message) : message;
      const stored = readStoredMessage(await send({ method, path: path(product, threadId), body }, options));
      return prefix ? prefix.incoming(stored) : stored;
    },
    async createNotification(notification, options) {
      const { method, path } = endpoints.createNotification;
      return readNotification(await send({ method, path: path(), body: notification }, options));
    },
    async deleteNotifications(threadId, options) {
      await sendBare(endpoints.deleteNotifications, threadId, options);
    },
    async getEmbeddedChatConfig(agentId, options) {
      return readConfigResponse(await sendBare(extensionEndpoints.getEmbeddedChatConfig, agentId, options));
    },
    async cancelRun(id, options) {
      await sendBare(extensionEndpoints.cancelRun, id, options);
    },
    async listMessages(threadId, options) {
      const text = await sendBare(extensionEndpoints.listMessages, threadId, options);
      const messages = readMessages(text, (diagnostic) => context.onDiagnostic?.(diagnostic));
      const prefix = await context.prefix?.();
      return prefix ? messages.map((message) => prefix.incoming(message)) : messages;
    },
    async listThreads({ signal, query, before, limit, archived, agentId } = {}) {
      const { method, path } = extensionEndpoints.listThreads;
      const parameters = Object.entries({ query, before, limit, archived, agent_id: agentId }).flatMap(
        ([name, value]) => (value === undefined ? [] : [[name, String(value)]]),
      );
      const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
      return readThreads(await send({ method, path: path(product) + search }, { signal }));
    },
    async changeThread(threadId, change, options) {
      const { method, path } = extensionEndpoints.changeThread;
      return readThread(await send({ method, path: path(product, threadId), body: change }, options));
    },
    async deleteThread(threadId, options) {
      await sendBare(extensionEndpoints.deleteThread, threadId, options);
    },
    async listNotifications(threadId, options) {
      return readNotifications(await sendBare(extensionEndpoints.listNotifications, threadId, options));
    },
  };
}
