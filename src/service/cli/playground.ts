import { randomBytes } from 'node:crypto';
import type { ServiceOptions } from '../create-service.ts';
import { readSettings } from '../settings.ts';
import { readOptions } from './arguments.ts';
import { runService } from './run-service.ts';

/** `agent-chat-service playground` (`npm start`): runs the service with a page to try it on. */
export async function playground(args: readonly string[], options: ServiceOptions): Promise<number> {
  readOptions(args, []);
  const settings = readSettings({ LOG_LEVEL: 'warn', ...process.env }, { playground: true });
  const jwtSecret = settings.jwtSecret ?? randomBytes(32).toString('hex');
  await runService({ ...settings, jwtSecret }, options, (address) => {
    if (settings.jwtSecret === undefined) {
      console.log(
        'Tokens are signed with a random secret that is lost when this process ends; set JWT_SECRET to keep one.',
      );
    }
    console.log(`Playground: ${address.replace('//127.0.0.1:', '//localhost:')}/`);
  });
  return 0;
}
