import { settingRows, type SettingRow } from '../settings.ts';

/** Room for the meaning of a variable beside its name, in characters. */
const width = 70;

/** One variable of the environment: name, meaning and default, broken into lines that a terminal holds. */
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
  serve: `agent-chat serve

Runs the service. It migrates its database at the start. On SIGTERM or SIGINT it ends every run with
a terminal event, then stops. All settings are environment variables:

${settingRows.map(settingLines).join('\n')}

JWT_SECRET or JWKS_URL must be set; without AGENTS_FILE there are the agents "demo" and "echo".`,
  playground: `agent-chat playground

Runs the service with its playground at / on http://localhost:8787 (PORT changes it), with the
agents "demo" and "echo" and, unless JWT_SECRET is set, a random secret that lasts until it stops.
Takes the settings of "serve" too.`,
  token: `agent-chat token --sub U --tenant T [--scope run,callback,notify,config] [--ttl 10m]

Prints a token signed with JWT_SECRET. For development: in production the host's own server mints
tokens for the visitors it knows.

  --sub     the visitor it stands for: it reaches their threads only
  --tenant  the tenant the visitor belongs to
  --scope   what it allows: run, callback, notify, config, separated by commas
            (default: run,callback,notify)
  --ttl     how long it is good, like 90s, 10m, 12h or 30d (default: 10m)`,
  key: `agent-chat key --tenant T --scope callback[,run,notify,config] [--id NAME]

Makes a key for a server. Prints the key, which is kept nowhere, and its entry for API_KEYS_FILE,
which holds only a hash. A key reaches every thread of its tenant: an agent's backend posts callbacks
with one.

  --tenant  the tenant it reaches
  --scope   what it allows: run, callback, notify, config, separated by commas
  --id      a name for the entry (default: made up)`,
  migrate: `agent-chat migrate

Brings the database to the newest schema and ends. "serve" does so at its start; use this to do it
beforehand. Reads DATABASE_URL or DATA_DIR.`,
  verify: `agent-chat verify --base-url URL --agent-id ID --token TOKEN

Checks any server of the interface: talks to it as the widget does, sends wrong requests on purpose,
and prints what is right, what is not, and what to do. Exit status: 0 when the widget can work with
the server, 1 when not, 2 when the command line is wrong. Leaves one thread behind.

  --base-url      root of the server
  --agent-id      an agent that answers
  --token         a token (or AGENT_CHAT_TOKEN in the environment)
  --product-path  path segment of the deployment (default: hub)
  --origin        origin of the page that will hold the widget (default: https://www.example.com)
  --message       what to say to the agent; a long answer tells more`,
};

/** What `--help` prints, for one command or all. */
export function helpText(command?: string): string {
  const text = command === undefined ? undefined : texts[command];
  return (
    text ??
    `agent-chat <command>

  serve        run the service
  playground   run the service with a page to try it on
  token        print a token for development
  key          make a key for a server
  migrate      bring the database up to date
  verify       check any server of the interface

agent-chat <command> --help tells more; agent-chat --version prints the version.`
  );
}
