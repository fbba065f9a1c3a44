import type { SettingRow } from '../setting-kinds.ts';
import { settingRows } from '../setting-table.ts';

/** Width of the description column, in characters. */
const width = 70;

/** Formats an environment variable: name, description and default, wrapped for a terminal. */
function settingLines({ variable, fallback, meaning }: SettingRow): string {
  const words = fallback === '–' ? meaning : `${meaning} (default: ${fallback})`;
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line, at) => `  ${(at === 0 ? variable : '').padEnd(26)}${line}`).join('\n');
}

const texts: Readonly<Record<string, string>> = {
  serve: `agent-chat-service serve

Runs the service. It migrates its database on start. On SIGTERM or SIGINT, it ends every run with
a terminal event, then stops. All settings are environment variables:

${settingRows.map(settingLines).join('\n')}

JWT_SECRET or JWKS_URL is required. Without AGENTS_FILE, the agents are "demo" and "echo".`,
  playground: `agent-chat-service playground

Runs the service with a playground at http://localhost:8787/ (set PORT to change it), with the
agents "demo" and "echo". Unless JWT_SECRET is set, it uses a random secret until it stops.
Accepts the settings of "serve" too.`,
  token: `agent-chat-service token --sub U --tenant T [--scope run,callback,notify,config] [--ttl 10m]

Prints a token signed with JWT_SECRET. For development only: in production, your own server issues
tokens to its visitors.

  --sub     the visitor; the token gives access to their threads only
  --tenant  the tenant the visitor belongs to
  --scope   permissions, separated by commas: run, callback, notify, config
            (default: run,callback,notify)
  --ttl     how long the token is valid, like 90s, 10m, 12h or 30d (default: 10m)`,
  key: `agent-chat-service key --tenant T --scope callback[,run,notify,config,admin] [--id NAME]

Creates an API key for a server. Prints the key, which is not stored, and its entry for
API_KEYS_FILE, which contains only a hash. A key gives access to every thread of its tenant: agents'
backends use one to post callbacks.

  --tenant  the tenant
  --scope   permissions, separated by commas: run, callback, notify, config, admin (exports and
            erases all data of a person)
  --id      a name for the entry (default: generated)`,
  migrate: `agent-chat-service migrate

Migrates the database to the latest schema and exits. "serve" does this on start; use this command to
do it beforehand. Reads DATABASE_URL or DATA_DIR.`,
  usage: `agent-chat-service usage [--since 30d] [--tenant T] [--format table|json]

Prints runs and tokens by tenant, agent and day (UTC) from the database of DATABASE_URL or DATA_DIR,
also while the service runs; it is at most a few seconds behind.

  --since   the first day, like 2026-11-01, or a duration like 7d (default: 30d)
  --tenant  only this tenant
  --format  table, or one JSON object per line (default: table)`,
  verify: `agent-chat-service verify --base-url URL --agent-id ID --token TOKEN

Checks any server that implements the interface: sends the widget's requests and some invalid ones,
and prints what works, what does not, and how to fix it. Exit status: 0 if the widget works with
the server, 1 if not, 2 if the command line is invalid. It leaves one thread on the server.

  --base-url      root URL of the server
  --agent-id      the agent to talk to
  --token         a valid token (or set AGENT_CHAT_TOKEN)
  --product-path  path segment of the deployment (default: hub)
  --origin        origin of the page with the widget (default: https://www.example.com)
  --message       the message to send; a long answer checks more`,
};

/** Returns the output of `--help`, for one command or for all. */
export function helpText(command?: string): string {
  const text = command === undefined ? undefined : texts[command];
  return (
    text ??
    `agent-chat-service <command>

  serve        run the service
  playground   run the service with a page to try it
  token        print a token for development
  key          create an API key for a server
  migrate      update the database schema
  usage        print runs and tokens by tenant, agent and day
  verify       check any server that implements the interface

Run agent-chat-service <command> --help for details, or agent-chat-service --version for the version.`
  );
}
