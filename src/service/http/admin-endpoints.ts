/** Paths of the endpoints for operators, in Fastify's syntax. The client and the widget do not use them. */
export const adminEndpoints = {
  subject: (product: string): string => `/api/v1/${product}/subjects/:subject`,
} as const;
