import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runIn } from '../package/pack.ts';

const types = 'dist/types';

/** Whether the declarations have been built. */
export const hasTypes = existsSync(`${root}${types}/service/index.d.ts`);

/** Entries of the packages, as an app finds them: by their declarations. */
const entries = {
  'agent-chat': 'widget/define',
  'agent-chat/client': 'client/index',
  'agent-chat/conversation': 'session/entry',
  'agent-chat/protocol': 'protocol/index',
  'agent-chat/react': 'react/index',
  'agent-chat/element': 'widget/index',
  'agent-chat-service': 'service/index',
};

/**
 * Compiles texts as strictly as this project, against the declarations of the packages. Returns what the compiler says.
 * @param texts by name of the file
 * @param options laid over those of this project
 */
export async function compile(texts: ReadonlyMap<string, string>, options: object = {}): Promise<string[]> {
  const folder = await mkdtemp(`${root}test/.results/typed-`); // beside the installed packages
  try {
    const paths = Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, [`${root}${types}/${file}.d.ts`]]),
    );
    const config = {
      extends: `${root}tsconfig.json`,
      compilerOptions: { noEmit: true, paths, ...options },
      files: [...texts.keys()],
      include: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [name, text] of texts) await writeFile(join(folder, name), text);
    const words = [`${root}node_modules/.bin/tsc`, '-p', folder, '--pretty', 'false', '--singleThreaded'];
    const { output, good } = await runIn(folder, process.execPath, words);
    return good ? [] : output.trim().split('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}
