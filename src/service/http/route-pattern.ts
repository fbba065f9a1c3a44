import type { Endpoint } from '../../protocol/index.ts';

/** Returns the route pattern of an endpoint: its path with `:name` for the parameter, without a query. */
export function routePattern(endpoint: Endpoint<[string]>, product: string, parameter: `:${string}`): string {
  return endpoint.path(product, parameter).replace('%3A', ':').replace(/\?.*$/, '');
}
