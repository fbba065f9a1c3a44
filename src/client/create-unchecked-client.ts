import { endpoints, extensionEndpoints } from '../protocol/endpoints.ts';
import type { AgentClient, AgentClientOptions, FollowOptions } from './agent-client.ts';
import type { ClientContext } from './json-calls.ts';
import { SeenEvents } from './framing/seen-events.ts';
import type * as JsonCalls from './json-calls.ts';
import { loadModule } from './load-module.ts';
import { runStreamOf, streamAccept } from './read-run-stream.ts';
import { type Call, Requester } from './requester.ts';
import { TokenSource } from './token-source.ts';

/**
 * Creates a client without checking its options, except the base URL. The code of streams is included; that of the
 * other calls is loaded with the first of them.
 * @throws TypeError when the base URL is invalid
 */
export function createUncheckedClient(options: AgentClientOptions): AgentClient {
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  const context = contextOf(options, baseUrl);
  const { product, streams } = context;
  const calls = (): Promise<typeof JsonCalls> => loadModule(baseUrl, import('./json-calls.ts'));
  const follow = (
    endpoint: { readonly path: (product: string, id: string) => string },
    id: string,
    followOptions: FollowOptions = {},
  ): ReturnType<AgentClient['runStream']> => {
    const { lastEventId } = followOptions;
    const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
    const call: Call = { method: 'GET', path: endpoint.path(product, id), accept: streamAccept, headers };
    return runStreamOf(streams, call, followOptions);
  };
  return {
    baseUrl,
    runStream(body, streamOptions = {}) {
      const { method, path } = endpoints.runStream;
      return runStreamOf(streams, { method, path: path(product), body, accept: streamAccept }, streamOptions);
    },
    putEmbeddedChatConfig: async (...args) => (await calls()).putEmbeddedChatConfig(context, ...args),
    postCallback: async (...args) => (await calls()).postCallback(context, ...args),
    createNotification: async (...args) => (await calls()).createNotification(context, ...args),
    deleteNotifications: async (...args) => (await calls()).deleteNotifications(context, ...args),
    extensions: {
      runEvents: (runId, followOptions) => follow(extensionEndpoints.runEvents, runId, followOptions),
      threadEvents: (threadId, followOptions) =>
        follow(extensionEndpoints.threadEvents, threadId, followOptions),
      getEmbeddedChatConfig: async (...args) => (await calls()).getEmbeddedChatConfig(context, ...args),
      cancelRun: async (...args) => (await calls()).cancelRun(context, ...args),
      listMessages: async (...args) => (await calls()).listMessages(context, ...args),
      listThreads: async (...args) => (await calls()).listThreads(context, ...args),
      changeThread: async (...args) => (await calls()).changeThread(context, ...args),
      deleteThread: async (...args) => (await calls()).deleteThread(context, ...args),
      listNotifications: async (...args) => (await calls()).listNotifications(context, ...args),
    },
  };
}

function contextOf(options: AgentClientOptions, baseUrl: string): ClientContext {
  const connectTimeout = options.connectTimeout ?? 30_000;
  const tokens = new TokenSource({
    provider: options.tokenProvider,
    timeout: connectTimeout,
    onDiagnostic: options.onDiagnostic,
  });
  const requester = new Requester({
    baseUrl,
    tokens,
    fetch: options.fetch,
    connectTimeout,
  });
  const { identifierPrefix = 'svc_' } = options;
  const prefix =
    identifierPrefix === 'svc_'
      ? undefined
      : async () => {
          const module = await loadModule(baseUrl, import('./identifier-prefix.ts'));
          return module.createIdentifierPrefix(identifierPrefix);
        };
  return {
    product: options.productPath ?? 'hub',
    requester,
    prefix,
    streams: {
      requester,
      prefix,
      idleTimeout: options.idleTimeout ?? 35_000,
      readInterval: options.readInterval ?? 0,
      recordLimit: options.recordLimit,
      onDiagnostic: options.onDiagnostic,
      redact: (text) => tokens.redact(text),
      seen: new SeenEvents(),
    },
  };
}

/**
 * The base URL without query, fragment and trailing slash.
 * @throws TypeError when it is not an absolute http or https URL, or contains a password.
 */
function normalizeBaseUrl(baseUrl: string | URL | undefined): string {
  const text = String(baseUrl ?? '');
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'createAgentClient: baseUrl must be an absolute http or https URL, like "https://chat.example.com".',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(
      'createAgentClient: baseUrl must not hold a user name or password. Use tokenProvider.',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Some supported browsers lack `URL.canParse`. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
