import { resolve } from 'node:path';
import { agentKind, textField } from '../agent-kind.ts';

/** A recorded run stream. */
export const replay = agentKind({ file: textField }, async ({ file }, { directory }) =>
  (await import('../replay.ts')).replayAgent(resolve(directory, file)),
);
