import { endpoints, extensionEndpoints } from '../protocol/endpoints.ts';
import type { AgentClient, AgentClientOptions, FollowOptions } from './agent-client.ts';
import { SeenEvents } from './framing/seen-events.ts';
import type { ClientContext, JsonCalls } from './json-calls.ts';
import { awaitModule } from './await-module.ts';
import { readRunStream } from './read-run-stream.ts';
import { Requester } from './requester.ts';
import { TokenSource } from './token-source.ts';

/**
 * Creates a client without checking its options, except the base URL. The code of streams is included; that of the
 * other calls is loaded with the first of them.
 * @throws TypeError when the base URL is invalid
 */
export function createUncheckedClient(options: AgentClientOptions): AgentClient {
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  const context = contextOf(options, baseUrl);
  const { product } = context;
  const follow = (path: string, followOptions?: FollowOptions): ReturnType<AgentClient['runStream']> =>
    readRunStream(context, { method: 'GET', path }, followOptions);
  /** A call whose code is loaded with the first of them. */
  const later = <Name extends keyof JsonCalls>(name: Name): JsonCalls[Name] => {
    const call = async (...args: readonly unknown[]): Promise<unknown> => {
      const { createJsonCalls } = await awaitModule(baseUrl, import('./json-calls.ts'));
      return (createJsonCalls(context)[name] as typeof call)(...args);
    };
    return call as JsonCalls[Name]; // it has the parameters and the result of the call that it loads
  };
  return {
    baseUrl,
    runStream(body, streamOptions) {
      const { method, path } = endpoints.runStream;
      return readRunStream(context, { method, path: path(product), body }, streamOptions);
    },
    putEmbeddedChatConfig: later('putEmbeddedChatConfig'),
    postCallback: later('postCallback'),
    createNotification: later('createNotification'),
    deleteNotifications: later('deleteNotifications'),
    extensions: {
      runEvents: (id, followOptions) => follow(extensionEndpoints.runEvents.path(product, id), followOptions),
      threadEvents: (id, followOptions) =>
        follow(extensionEndpoints.threadEvents.path(product, id), followOptions),
      getEmbeddedChatConfig: later('getEmbeddedChatConfig'),
      cancelRun: later('cancelRun'),
      listMessages: later('listMessages'),
      listThreads: later('listThreads'),
      changeThread: later('changeThread'),
      deleteThread: later('deleteThread'),
      listNotifications: later('listNotifications'),
    },
  };
}

function contextOf(options: AgentClientOptions, baseUrl: string): ClientContext {
  const { connectTimeout = 30_000, identifierPrefix = 'svc_', onDiagnostic } = options;
  const tokens = new TokenSource({ provider: options.tokenProvider, timeout: connectTimeout, onDiagnostic });
  return {
    product: options.productPath ?? 'hub',
    requester: new Requester({ baseUrl, tokens, fetch: options.fetch, connectTimeout }),
    prefix:
      identifierPrefix === 'svc_'
        ? undefined
        : async () =>
            (await awaitModule(baseUrl, import('./identifier-prefix.ts'))).createIdentifierPrefix(
              identifierPrefix,
            ),
    idleTimeout: options.idleTimeout ?? 35_000,
    readInterval: options.readInterval ?? 0,
    recordLimit: options.recordLimit,
    onDiagnostic,
    redact: (text) => tokens.redact(text),
    seen: new SeenEvents(),
  };
}

/**
 * The base URL without query, fragment and trailing slash.
 * @throws TypeError when it is not an absolute http or https URL, or contains a password.
 */
function normalizeBaseUrl(baseUrl: string | URL | undefined): string {
  const text = String(baseUrl ?? '');
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new TypeError(
      'createAgentClient: baseUrl must be an absolute http or https URL, like "https://chat.example.com". In place of a password, use tokenProvider.',
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Without `URL.canParse`, which Safari 16 lacks: the last one on some phones. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
