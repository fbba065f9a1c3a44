import { missingPackage, serverPackages } from '../errors/missing-package.ts';
import { SettingsError } from '../settings.ts';
import { version } from '../version.ts';
import { UsageError } from './arguments.ts';
import { helpText } from './help-text.ts';

interface Command {
  run(words: readonly string[]): Promise<number>;
}

/** Each command is loaded on its own, so that `--help` works without the server's libraries. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => ({ run: (await import('./serve.ts')).serve }),
  playground: async () => ({ run: (await import('./playground.ts')).playground }),
  token: async () => ({ run: (await import('./token.ts')).token }),
  key: async () => ({ run: (await import('./key.ts')).key }),
  migrate: async () => ({ run: (await import('./migrate.ts')).migrateCommand }),
  verify: async () => ({ run: (await import('./verify.ts')).verifyCommand }),
};

/** Runs one command line and gives the exit status: 0 well, 1 failed, 2 misused. */
export async function runCommand(words: readonly string[]): Promise<number> {
  const [name = '--help', ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') {
    if (rest[0] === undefined || Object.hasOwn(commands, rest[0])) {
      console.log(helpText(rest[0]));
      return 0;
    }
    return unknownCommand(rest[0]);
  }
  if (name === '--version' || name === '-v' || name === 'version') {
    console.log(version);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return unknownCommand(name);
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(helpText(name));
    return 0;
  }
  try {
    const command = await load();
    return await command.run(rest);
  } catch (fault) {
    return report(name, fault);
  }
}

function unknownCommand(name: string): number {
  console.error(`agent-chat: there is no command "${name}"\n\n${helpText()}`);
  return 2;
}

function report(name: string, fault: unknown): number {
  if (fault instanceof UsageError) {
    console.error(`agent-chat ${name}: ${fault.message}\nTry: agent-chat ${name} --help`);
    return 2;
  }
  if (fault instanceof SettingsError) {
    for (const line of fault.faults) console.error(`agent-chat ${name}: ${line}`);
    return 1;
  }
  const missing = missingPackage(fault);
  if (missing !== undefined) {
    console.error(
      `agent-chat ${name}: the package "${missing}" is missing. The service needs:\n  npm install ${serverPackages.join(' ')}`,
    );
    return 1;
  }
  const cause = fault instanceof Error && fault.cause instanceof Error ? `: ${fault.cause.message}` : '';
  console.error(`agent-chat ${name}: ${fault instanceof Error ? fault.message : String(fault)}${cause}`);
  return 1;
}
