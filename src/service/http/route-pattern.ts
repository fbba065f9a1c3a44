import type { Endpoint } from '../../protocol/index.ts';

/** The route pattern of an endpoint: its path with a `:name` where the parameter goes, and without a query. */
export function routePattern(endpoint: Endpoint<[string]>, product: string, parameter: `:${string}`): string {
  return endpoint.path(product, parameter).replace('%3A', ':').replace(/\?.*$/, '');
}
