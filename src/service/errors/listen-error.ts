import { SettingsError } from '../settings.ts';

/** Explains an address that cannot be listened on. Returns other errors unchanged. */
export function listenError(
  settings: { readonly host: string; readonly port: number },
  error: unknown,
): unknown {
  const { host, port } = settings;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new SettingsError([
        `PORT ${port} is in use on ${host}; stop the other process, or set PORT to another port (0 picks a free one)`,
      ]);
    case 'EACCES':
      return new SettingsError([
        `PORT ${port} is not permitted for this user; set PORT to a number above 1023`,
      ]);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
      return new SettingsError([
        `HOST ${host} is not an address of this machine (${code}); set it to 0.0.0.0 for all addresses, or to 127.0.0.1`,
      ]);
    default:
      return error;
  }
}
