import type { WireDiagnostic } from '../client/agent-client.ts';

/** What is told of a service that lets no notifications be posted. Fetched when one does not: most do. */
export function notificationsRefused(status: number | undefined): WireDiagnostic {
  return {
    code: 'notifications-refused',
    message: `The service answered ${status} to a notification, so none are posted any more. Give the token the scope "notify", or set notifications to "off".`,
  };
}
