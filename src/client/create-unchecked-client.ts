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
    putEmbeddedChatConfig: async (...given) => (await calls()).putEmbeddedChatConfig(context, ...given),
    postCallback: async (...given) => (await calls()).postCallback(context, ...given),
    createNotification: async (...given) => (await calls()).createNotification(context, ...given),
    deleteNotifications: async (...given) => (await calls()).deleteNotifications(context, ...given),
    extensions: {
      runEvents: (runId, followOptions) => follow(extensionEndpoints.runEvents, runId, followOptions),
      threadEvents: (threadId, followOptions) =>
        follow(extensionEndpoints.threadEvents, threadId, followOptions),
      getEmbeddedChatConfig: async (...given) => (await calls()).getEmbeddedChatConfig(context, ...given),
      cancelRun: async (...given) => (await calls()).cancelRun(context, ...given),
      listMessages: async (...given) => (await calls()).listMessages(context, ...given),
      listThreads: async (...given) => (await calls()).listThreads(context, ...given),
      changeThread: async (...given) => (await calls()).changeThread(context, ...given),
      deleteThread: async (...given) => (await calls()).deleteThread(context, ...given),
      listNotifications: async (...given) => (await calls()).listNotifications(context, ...given),
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
function normalizeBaseUrl(given: string | URL | undefined): string {
  const text = String(given ?? '');
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
