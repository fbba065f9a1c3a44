import { createAgentClient, type AgentClient } from 'agent-chat/client';
import { tokenUrl } from './preview.ts';

/** The service of this page, called as its visitor. */
export const client: AgentClient = createAgentClient({ baseUrl: location.origin, tokenProvider: fetchToken });

async function fetchToken(): Promise<string> {
  const response = await fetch(tokenUrl, { credentials: 'same-origin' });
  if (!response.ok)
    throw new Error(`${tokenUrl} answered ${response.status}; start the service with npm start`);
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string')
    return body.token;
  throw new Error(`${tokenUrl} answered without a token`);
}
