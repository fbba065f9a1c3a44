import type { ServiceOptions } from '../create-service.ts';
import { installLine, missingPackage, unfitPackages, versioned } from '../errors/server-packages.ts';
import { readText } from '../setting-reader.ts';
import { SettingsError } from '../settings.ts';
import { version } from '../version.ts';
import { UsageError } from './arguments.ts';
import { helpText } from './help-text.ts';

type Command = (args: readonly string[], options: ServiceOptions) => Promise<number>;

/** Each command is loaded on demand, so `--help` works without the server's libraries. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  playground: async () => (await import('./playground.ts')).playground,
  token: async () => (await import('./token.ts')).token,
  key: async () => (await import('./key.ts')).key,
  usage: async () => (await import('./usage.ts')).usageCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
};

/** The commands that load the service's libraries. */
const serviceCommands: readonly string[] = ['serve', 'playground', 'migrate', 'usage'];

/** Runs a command line. Returns the exit status: 0 for success, 1 for a failure, 2 for a usage error. */
export async function runCommand(args: readonly string[], options: ServiceOptions): Promise<number> {
  const [name = '--help', ...rest] = args;
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
  const usesPostgres = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((variable) =>
    readText(process.env, variable),
  );
  // an older pg waits forever on current versions of Node
  const unfit = serviceCommands.includes(name) ? unfitPackages(usesPostgres ? ['pg'] : []) : [];
  if (unfit.length > 0) {
    const found = unfit.map(
      (one) => `${one.name} ${one.found} is installed, ${versioned(one.name)} is needed`,
    );
    console.error(
      `agent-chat-service ${name}: the service cannot run with the libraries of this app: ${found.join('; ')}.\n` +
        `Install the service in a folder of its own:\n  ${installLine()}`,
    );
    return 1;
  }
  try {
    const command = await load();
    return await command(rest, options);
  } catch (error) {
    return report(name, error);
  }
}

function unknownCommand(name: string): number {
  console.error(`agent-chat-service: there is no command "${name}"\n\n${helpText()}`);
  return 2;
}

function report(name: string, error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`agent-chat-service ${name}: ${error.message}\nTry: agent-chat-service ${name} --help`);
    return 2;
  }
  if (error instanceof SettingsError) {
    for (const line of error.errors) console.error(`agent-chat-service ${name}: ${line}`);
    return 1;
  }
  const missing = missingPackage(error);
  if (missing !== undefined) {
    console.error(
      `agent-chat-service ${name}: the package "${missing}" is missing. Install it:\n  ${installLine(missing)}`,
    );
    return 1;
  }
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  console.error(
    `agent-chat-service ${name}: ${error instanceof Error ? error.message : String(error)}${cause}`,
  );
  return 1;
}
