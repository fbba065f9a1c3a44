import type { AgentClient, TokenReason, WireDiagnostic } from '../../client/agent-client.ts';
import { createUncheckedClient } from '../../client/create-unchecked-client.ts';
import type { ChatHost } from '../chat-host.ts';
import { readOption } from '../config/read-option.ts';
import { requestToken } from './request-token.ts';

/** The settings that the client is created from; equal ones give an equal client. */
export function clientKeyOf({ config }: ChatHost): readonly unknown[] {
  const { baseUrl, productPath, identifierPrefix, visitor, token, tokenUrl, replay } = config;
  return [baseUrl, productPath, identifierPrefix, visitor, token, tokenUrl, replay];
}

/** Creates the client for the host element's settings. */
export function createHostClient(
  host: ChatHost,
  onDiagnostic: (diagnostic: WireDiagnostic) => void,
): AgentClient {
  const { baseUrl, productPath, identifierPrefix, replay } = host.config;
  // read for every request: a framework may pass a new function with each render
  const fetch: typeof globalThis.fetch = replay
    ? async (...args) => (await import('./replay.ts')).playRecording(replay, ...args)
    : (...args) => (readOption(host, 'fetch') ?? globalThis.fetch)(...args);
  return createUncheckedClient({
    baseUrl: baseUrl || document.baseURI,
    productPath,
    identifierPrefix,
    readInterval: 16, // about one frame
    tokenProvider: (reason: TokenReason) => (replay ? 'none' : requestToken(host, reason)),
    onDiagnostic,
    fetch,
  });
}
