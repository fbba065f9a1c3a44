import { formatReport, verify } from '../../verify/index.ts';
import { readOptions, UsageError } from './arguments.ts';

/**
 * `agent-chat-service verify`: checks a server that implements the interface and prints a report. Exit status 1: the
 * widget does not work with it.
 */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ['base-url', 'agent-id', 'token', 'product-path', 'origin', 'message']);
  const { 'base-url': baseUrl, 'agent-id': agentId, 'product-path': productPath, origin, message } = options;
  const token = (options.token ?? process.env['AGENT_CHAT_TOKEN'])?.trim();
  if (!baseUrl || !isAddress(baseUrl)) {
    throw new UsageError(
      '--base-url must be the URL of a server: http:// or https://, without user, "?" and "#"',
    );
  }
  if (!agentId) throw new UsageError('--agent-id is required');
  if (!token) throw new UsageError('--token is required (or AGENT_CHAT_TOKEN in the environment)');
  // Other characters would fail later with a message that quotes the token.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('the token must consist of printable ASCII characters without spaces');
  const findings = await verify({
    baseUrl,
    agentId,
    token,
    ...(productPath ? { productPath } : {}),
    ...(origin ? { origin } : {}),
    ...(message ? { message } : {}),
  });
  console.log(formatReport(baseUrl, findings));
  return findings.some(({ kind }) => kind === 'error') ? 1 : 0;
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && !/[?#]/.test(text);
}
