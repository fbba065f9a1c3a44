/** An endpoint: its method and a path builder, relative to the base URL. */
export interface Endpoint<Parameters extends readonly unknown[]> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with a leading slash; parameters are percent-encoded. */
  readonly path: (product: string, ...parameters: Parameters) => string;
}

const encode = encodeURIComponent;

/**
 * The five endpoints of the interface, with its exact prefixes and trailing slashes.
 * @source interface, "Endpoints"
 */
export const endpoints = {
  runStream: { method: 'POST', path: (product) => `/api/v1/${product}/runs/stream` },
  putEmbeddedChatConfig: {
    method: 'PUT',
    path: (product, agentId) => `/v1/${product}/agents/${encode(agentId)}/embedded-chat-config`,
  },
  postCallback: { method: 'POST', path: (_product, threadId) => `/api/v1/callback/${encode(threadId)}` },
  createNotification: { method: 'POST', path: () => '/api/v1/notifications/' },
  deleteNotifications: {
    method: 'DELETE',
    path: (_product, threadId) => `/api/v1/notifications/${encode(threadId)}`,
  },
} as const satisfies {
  runStream: Endpoint<[]>;
  putEmbeddedChatConfig: Endpoint<[agentId: string]>;
  postCallback: Endpoint<[threadId: string]>;
  createNotification: Endpoint<[]>;
  deleteNotifications: Endpoint<[threadId: string]>;
};

/**
 * Extensions of our service. The widget works without them.
 * @assumed the interface has no read endpoints
 */
export const extensionEndpoints = {
  getEmbeddedChatConfig: {
    method: 'GET',
    path: (product, agentId) => `/v1/${product}/agents/${encode(agentId)}/embedded-chat-config`,
  },
  runEvents: { method: 'GET', path: (product, runId) => `/api/v1/${product}/runs/${encode(runId)}/events` },
  cancelRun: { method: 'POST', path: (product, runId) => `/api/v1/${product}/runs/${encode(runId)}/cancel` },
  listMessages: {
    method: 'GET',
    path: (product, threadId) => `/api/v1/${product}/threads/${encode(threadId)}/messages`,
  },
  threadEvents: {
    method: 'GET',
    path: (product, threadId) => `/api/v1/${product}/threads/${encode(threadId)}/events`,
  },
  listThreads: { method: 'GET', path: (product) => `/api/v1/${product}/threads` },
  changeThread: {
    method: 'PATCH',
    path: (product, threadId) => `/api/v1/${product}/threads/${encode(threadId)}`,
  },
  deleteThread: {
    method: 'DELETE',
    path: (product, threadId) => `/api/v1/${product}/threads/${encode(threadId)}`,
  },
  listNotifications: {
    method: 'GET',
    path: (_product, threadId) => `/api/v1/notifications/?thread_id=${encode(threadId)}`,
  },
} as const satisfies {
  getEmbeddedChatConfig: Endpoint<[agentId: string]>;
  runEvents: Endpoint<[runId: string]>;
  cancelRun: Endpoint<[runIdOrClientMessageId: string]>;
  listMessages: Endpoint<[threadId: string]>;
  threadEvents: Endpoint<[threadId: string]>;
  listThreads: Endpoint<[]>;
  changeThread: Endpoint<[threadId: string]>;
  deleteThread: Endpoint<[threadId: string]>;
  listNotifications: Endpoint<[threadId: string]>;
};
