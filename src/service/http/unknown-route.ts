import type { Server } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound, Problem } from '../errors/problem.ts';

interface Route {
  readonly method: string;
  readonly path: RegExp;
}

const routesOf = new WeakMap<Server, Route[]>();

/** Remembers the routes that are added to an app from now on, for `unknownRoute`. Routes for any path do not count. */
export function rememberRoutes(app: FastifyInstance): void {
  const routes: Route[] = [];
  routesOf.set(app.server, routes);
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return;
    const segments = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll('.', '\\.')));
    const path = new RegExp(`^${segments.join('/')}$`);
    for (const one of [method].flat()) routes.push({ method: one, path });
  });
}

/** Answers 405 with the methods of the path, or 404, which says whether something stands before `/api/v1`. */
export function unknownRoute(request: FastifyRequest): Problem {
  const [path = ''] = request.url.split('?');
  const routes = routesOf.get(request.server.server) ?? [];
  const methods = new Set(routes.filter((route) => route.path.test(path)).map(({ method }) => method));
  if (methods.size === 0) {
    if (path.indexOf('/api/v1/') <= 0) return notFound('route', ['path']);
    const msg = 'no such route: nothing stands before /api/v1; check base-url, or the proxy';
    return new Problem(404, { loc: ['path'], msg, type: 'not_found' });
  }
  const allowed = [...methods].join(', ');
  return new Problem(
    405,
    { loc: ['method'], msg: `must be ${allowed} for this path`, type: 'method_not_allowed' },
    { headers: { allow: allowed } },
  );
}
