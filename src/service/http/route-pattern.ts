import type { Endpoint } from '../../protocol/index.ts';

/** Returns the route pattern of an endpoint: its path with `:name` for the parameter if it has one, without a query. */
export function routePattern(
  endpoint: Endpoint<[string]>,
  product: string,
  parameter: `:${string}` | '' = '',
): string {
  return endpoint.path(product, parameter).replace('%3A', ':').replace(/\?.*$/, '');
}

/** Returns the route pattern of the endpoint for all data of one person. The client and the widget do not use it. */
export function subjectPattern(product: string): string {
  return `/api/v1/${product}/subjects/:subject`;
}
