import { readSettings } from '../settings.ts';
import { readOptions } from './arguments.ts';
import { runService } from './run-service.ts';

/** `agent-chat serve`: runs until told to stop. */
export async function serve(words: readonly string[]): Promise<number> {
  readOptions(words, []);
  await runService(readSettings(process.env));
  return 0;
}
