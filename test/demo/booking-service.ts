import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bookingAgent } from '../../demo/agents/booking.ts';
import { signToken } from '../../src/service/auth/sign-token.ts';
import { createService, readSettings } from '../../src/service/index.ts';
import { everyScope, secret } from '../service/running-service.ts';

/** A service with the agent `booking`. */
export interface BookingService {
  readonly baseUrl: string;
  /** A token of a visitor. */
  token(): Promise<string>;
  close(): Promise<void>;
}

const harbour = fileURLToPath(new URL('../../demo/agents/harbour.mjs', import.meta.url));

/** Starts a service with the playground's booking agent, on a free port, with a directory of its own. */
export async function startBooking(): Promise<BookingService> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-booking-'));
  const settings = readSettings(
    { JWT_SECRET: secret, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: directory },
    { playground: true },
  );
  const agent = bookingAgent({ command: process.execPath, args: [harbour, '5'], directory });
  const service = await createService(settings, {
    playgroundAgents: [
      { id: 'booking', name: 'Harbour Bookings', kind: 'scripted', origins: undefined, agent },
    ],
  });
  return {
    baseUrl: await service.listen(),
    token: () => signToken(secret, { subject: 'ada', tenantId: 'quay', scopes: everyScope }, 600),
    close: async () => {
      await service.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
