import { SettingsError } from '../settings.ts';

/** Words for an address that cannot be listened on; any other fault comes back as it is. */
export function listenError(
  settings: { readonly host: string; readonly port: number },
  error: unknown,
): unknown {
  const { host, port } = settings;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new SettingsError([
        `PORT ${port} is taken on ${host}; end what listens there, or set PORT to another (0 takes a free one)`,
      ]);
    case 'EACCES':
      return new SettingsError([`PORT ${port} may not be used by this user; set PORT to one above 1023`]);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new SettingsError([
        `HOST ${host} is no address of this machine (${code}); set it to 0.0.0.0 for all of them, or to 127.0.0.1`,
      ]);
    default:
      return error;
  }
}
