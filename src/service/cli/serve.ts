import type { ServiceOptions } from '../create-service.ts';
import { readSettings } from '../settings.ts';
import { readOptions } from './arguments.ts';
import { runService } from './run-service.ts';

/** `agent-chat-service serve`: runs the service until a stop signal. */
export async function serve(args: readonly string[], options: ServiceOptions): Promise<number> {
  readOptions(args, []);
  await runService(readSettings(process.env), options);
  return 0;
}
