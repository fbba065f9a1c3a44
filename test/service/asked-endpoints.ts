import { atOnce, say } from './running-service.ts';

/** One endpoint, for asking it in every wrong way. */
export interface Asked {
  readonly name: string;
  readonly method: string;
  readonly path: (thread: string, run: string) => string;
  readonly body?: (thread: string) => unknown;
  readonly scope: string;
  /** Whether it names a thread or a run, so that somebody else's must look missing. */
  readonly owned: boolean;
  /** Whether pages of other origins get a response, without what belongs to agents that they may not use. */
  readonly anyOrigin?: true;
}

/** Every endpoint that asks for a token. */
export const asked: readonly Asked[] = [
  {
    name: 'run',
    method: 'POST',
    path: () => '/api/v1/hub/runs/stream',
    body: (thread_id) => say('hi', { agent_id: 'echo', thread_id, ...atOnce }),
    scope: 'run',
    owned: true,
  },
  {
    name: 'put config',
    method: 'PUT',
    path: () => '/v1/hub/agents/echo/embedded-chat-config',
    body: () => ({ layout: {} }),
    scope: 'config',
    owned: false,
  },
  {
    name: 'get config',
    method: 'GET',
    path: () => '/v1/hub/agents/echo/embedded-chat-config',
    scope: 'config',
    owned: false,
  },
  {
    name: 'callback',
    method: 'POST',
    path: (thread) => `/api/v1/callback/${thread}`,
    body: () => ({ content: 'hi' }),
    scope: 'callback',
    owned: true,
  },
  {
    name: 'notify',
    method: 'POST',
    path: () => '/api/v1/notifications/',
    body: (thread_id) => ({ thread_id }),
    scope: 'notify',
    owned: true,
  },
  {
    name: 'list notifications',
    method: 'GET',
    path: (thread) => `/api/v1/notifications/?thread_id=${thread}`,
    scope: 'notify',
    owned: true,
  },
  {
    name: 'delete notifications',
    method: 'DELETE',
    path: (thread) => `/api/v1/notifications/${thread}`,
    scope: 'notify',
    owned: true,
  },
  {
    name: 'messages',
    method: 'GET',
    path: (thread) => `/api/v1/hub/threads/${thread}/messages`,
    scope: 'run',
    owned: true,
  },
  {
    name: 'run events',
    method: 'GET',
    path: (_thread, run) => `/api/v1/hub/runs/${run}/events`,
    scope: 'run',
    owned: true,
  },
  {
    name: 'cancel',
    method: 'POST',
    path: (_thread, run) => `/api/v1/hub/runs/${run}/cancel`,
    scope: 'run',
    owned: true,
  },
  {
    name: 'thread events',
    method: 'GET',
    path: (thread) => `/api/v1/hub/threads/${thread}/events`,
    scope: 'run',
    owned: true,
  },
  {
    name: 'delete thread',
    method: 'DELETE',
    path: (thread) => `/api/v1/hub/threads/${thread}`,
    scope: 'run',
    owned: true,
  },
  {
    name: 'threads',
    method: 'GET',
    path: () => '/api/v1/hub/threads',
    scope: 'run',
    owned: false,
    anyOrigin: true,
  },
  {
    name: 'change thread',
    method: 'PATCH',
    path: (thread) => `/api/v1/hub/threads/${thread}`,
    body: () => ({ title: 'mine' }),
    scope: 'run',
    owned: true,
  },
];
