import { settingRows } from '../settings.ts';

const texts: Readonly<Record<string, string>> = {
  serve: `agent-chat serve

Runs the service. It migrates its database by itself and stops on SIGTERM or SIGINT after
ending every run with a terminal event. Settings come from the environment:

${settingRows.map(({ variable, fallback, meaning }) => `  ${variable.padEnd(26)}${meaning} (${fallback})`).join('\n')}

JWT_SECRET or JWKS_URL must be set.`,
  playground: `agent-chat playground

Runs the service with its playground at / on http://localhost:8787 (PORT changes it), with the
agents "demo" and "echo" and a random secret for the day. Takes the settings of "serve" too.`,
  token: `agent-chat token --sub U --tenant T [--scope run,callback,notify,config] [--ttl 10m]

Prints a token signed with JWT_SECRET. For development: in production the host's own server mints
tokens for the visitors it knows.

  --sub     whose threads it reaches
  --tenant  the tenant
  --scope   run, callback, notify, config, separated by commas (run,callback,notify)
  --ttl     90s, 10m, 12h, 30d (10m)`,
  key: `agent-chat key --tenant T --scope callback[,run,notify,config] [--id NAME]

Makes a key for a server. Prints the key once, and the entry for API_KEYS_FILE, which holds only its
hash. A key reaches its whole tenant: that is how an agent's backend posts callbacks.`,
  migrate: `agent-chat migrate

Brings the database to the newest form and ends. "serve" does this by itself; this is for those who
do it apart. Reads DATABASE_URL or DATA_DIR.`,
  verify: `agent-chat verify --base-url URL --agent-id ID --token TOKEN

Talks to a server of the interface as the widget does, asks badly on purpose, and prints what is good
and what is not. Ends with 1 when the widget cannot work with the server. Leaves a thread behind.

  --base-url      root of the server
  --agent-id      an agent that answers
  --token         a token; else AGENT_CHAT_TOKEN of the environment
  --product-path  path segment of the deployment (hub)
  --origin        origin of a page that would hold the widget (https://www.example.com)
  --message       what is said to the agent`,
};

/** What `--help` prints, for one command or all. */
export function helpText(command?: string): string {
  const text = command === undefined ? undefined : texts[command];
  return (
    text ??
    `agent-chat <command>

  serve        run the service
  playground   run the service with its playground, for a first look
  token        print a token for development
  key          make a key for a server
  migrate      bring the database up to date
  verify       check any server of the interface

agent-chat <command> --help tells more; agent-chat --version names the version.`
  );
}
