import type { Endpoint } from '../../protocol/index.ts';

/** Returns the route pattern of an endpoint: its path with `:name` for the parameter, without a query. */
export function routePattern(endpoint: Endpoint<[string]>, product: string, parameter: `:${string}`): string {
  return endpoint.path(product, parameter).replace('%3A', ':').replace(/\?.*$/, '');
}

/** Paths of the endpoints for operators, in Fastify's syntax. The client and the widget do not use them. */
export const adminEndpoints = {
  subject: (product: string): string => `/api/v1/${product}/subjects/:subject`,
} as const;
