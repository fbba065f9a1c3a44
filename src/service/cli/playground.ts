import { randomBytes } from 'node:crypto';
import { readSettings } from '../settings.ts';
import { readOptions } from './arguments.ts';
import { runService } from './run-service.ts';

/** `agent-chat playground`, which is `npm start`: the service with a page to try it on. */
export async function playground(words: readonly string[]): Promise<number> {
  readOptions(words, []);
  const settings = readSettings({ LOG_LEVEL: 'warn', ...process.env }, { playground: true });
  const jwtSecret = settings.jwtSecret ?? randomBytes(32).toString('hex');
  await runService({ ...settings, jwtSecret }, (address) => {
    if (settings.jwtSecret === undefined) {
      console.log(
        'Tokens are signed with a random secret, good until this process ends (JWT_SECRET sets a lasting one).',
      );
    }
    console.log(`Playground: ${address.replace('//127.0.0.1:', '//localhost:')}/`);
  });
  return 0;
}
