/** The libraries of the service: optional for those who install the package for the widget only. */
export const serverPackages = [
  'fastify',
  'kysely',
  'libsql',
  'pg',
  'jose',
  'openai',
  'prom-client',
  'libphonenumber-js',
  'obscenity',
];

/** The package whose absence is behind a fault; `undefined` when it is something else. */
export function missingPackage(fault: unknown): string | undefined {
  if (!(fault instanceof Error) || Reflect.get(fault, 'code') !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /Cannot find package '([^']+)'/.exec(fault.message)?.[1];
}
