import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first of these commands that is installed. */
export function findCommand(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** WebKitGTK's own small browser, which Debian keeps beside the library. */
export function findMiniBrowser(): string | undefined {
  for (const folder of ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec']) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder).filter((entry) => /^webkit(2gtk|gtk)-/.test(entry))) {
      const path = join(folder, name, 'MiniBrowser');
      if (existsSync(path)) return path;
    }
  }
  return undefined;
}
