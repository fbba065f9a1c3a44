import type {
  AgentClient,
  AgentClientExtensions,
  AgentClientOptions,
  FollowOptions,
} from './agent-client.ts';
import { checkOptions } from './validate-options.ts';
import { clientRules, followRules, requestRules, streamRules, threadListRules } from './option-rules.ts';
import { createUncheckedClient } from './create-unchecked-client.ts';

/**
 * Creates the client of one service.
 *
 * @example
 * const client = createAgentClient({ baseUrl: 'https://chat.example.com', tokenProvider: () => fetchToken() });
 * for await (const event of client.runStream({ message: { role: 'user', content: [textItem('Hello')] } })) …
 *
 * @throws TypeError when an option is missing, misspelt or of the wrong type
 */
export function createAgentClient(options: AgentClientOptions): AgentClient {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('createAgentClient: give an options object with at least baseUrl.');
  }
  checkOptions('createAgentClient', options, clientRules);
  const client = createUncheckedClient(options);
  return {
    baseUrl: client.baseUrl,
    runStream(request, streamOptions) {
      checkOptions('runStream', streamOptions, streamRules);
      checkObject('runStream', 'request', request);
      checkObject('runStream', 'request.message', request.message);
      return client.runStream(request, streamOptions);
    },
    async putEmbeddedChatConfig(agentId, config, requestOptions) {
      checkObject('putEmbeddedChatConfig', 'config', config);
      checkId('putEmbeddedChatConfig', 'agentId', agentId);
      checkOptions('putEmbeddedChatConfig', requestOptions, requestRules);
      return client.putEmbeddedChatConfig(agentId, config, requestOptions);
    },
    async postCallback(threadId, message, requestOptions) {
      checkId('postCallback', 'threadId', threadId);
      checkObject('postCallback', 'message', message);
      checkOptions('postCallback', requestOptions, requestRules);
      return client.postCallback(threadId, message, requestOptions);
    },
    async createNotification(notification, requestOptions) {
      checkObject('createNotification', 'notification', notification);
      checkOptions('createNotification', requestOptions, requestRules);
      return client.createNotification(notification, requestOptions);
    },
    async deleteNotifications(threadId, requestOptions) {
      checkId('deleteNotifications', 'threadId', threadId);
      checkOptions('deleteNotifications', requestOptions, requestRules);
      return client.deleteNotifications(threadId, requestOptions);
    },
    extensions: checkedExtensions(client.extensions),
  };
}

function checkedExtensions(extensions: AgentClientExtensions): AgentClientExtensions {
  const checkFollow = (where: string, id: string, options: FollowOptions | undefined): void => {
    checkId(where, 'the id', id);
    checkOptions(where, options, followRules);
  };
  return {
    runEvents(runId, options) {
      checkFollow('runEvents', runId, options);
      return extensions.runEvents(runId, options);
    },
    threadEvents(threadId, options) {
      checkFollow('threadEvents', threadId, options);
      return extensions.threadEvents(threadId, options);
    },
    getEmbeddedChatConfig: checkedCall('getEmbeddedChatConfig', extensions.getEmbeddedChatConfig),
    cancelRun: checkedCall('cancelRun', extensions.cancelRun),
    listMessages: checkedCall('listMessages', extensions.listMessages),
    async listThreads(options) {
      checkOptions('listThreads', options, threadListRules);
      return extensions.listThreads(options);
    },
    async changeThread(threadId, change, options) {
      checkId('changeThread', 'threadId', threadId);
      checkObject('changeThread', 'change', change);
      checkOptions('changeThread', options, requestRules);
      return extensions.changeThread(threadId, change, options);
    },
    deleteThread: checkedCall('deleteThread', extensions.deleteThread),
    listNotifications: checkedCall('listNotifications', extensions.listNotifications),
  };
}

function checkedCall<Result>(
  where: string,
  call: (id: string, options?: { readonly signal?: AbortSignal }) => Promise<Result>,
): (id: string, options?: { readonly signal?: AbortSignal }) => Promise<Result> {
  return async (id, options) => {
    checkId(where, 'the id', id);
    checkOptions(where, options, requestRules);
    return call(id, options);
  };
}

function checkId(where: string, name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${where}: ${name} must be a string that is not empty.`);
}

function checkObject(where: string, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`${where}: ${name} must be an object.`);
}
