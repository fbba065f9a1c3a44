import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FullResult, Reporter } from '@playwright/test/reporter';

const library = fileURLToPath(new URL('../../dist/lib', import.meta.url));

/** Says below failures that there is no build: what a test then misses is a module somewhere. */
export default class BuildHintReporter implements Reporter {
  onEnd({ status }: FullResult): void {
    if (status === 'failed' && !existsSync(library))
      console.log('There is no dist/lib. If a test needs what is built, run: npm run build');
  }

  printsToStdio(): boolean {
    return false;
  }
}
