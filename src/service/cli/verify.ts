import { formatReport, verify } from '../../verify/index.ts';
import { readOptions, UsageError } from './arguments.ts';

/** `agent-chat verify`: checks any server of the interface and prints a report. 1: the widget cannot work with it. */
export async function verifyCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, ['base-url', 'agent-id', 'token', 'product-path', 'origin', 'message']);
  const { 'base-url': baseUrl, 'agent-id': agentId, 'product-path': productPath, origin, message } = options;
  const token = (options.token ?? process.env['AGENT_CHAT_TOKEN'])?.trim();
  if (!baseUrl || !isAddress(baseUrl)) {
    throw new UsageError(
      '--base-url must be the address of a server: http:// or https://, without user, "?" and "#"',
    );
  }
  if (!agentId) throw new UsageError('--agent-id is required');
  if (!token) throw new UsageError('--token is required (or AGENT_CHAT_TOKEN in the environment)');
  // A request with any other would fail in words that quote it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('the token must be one word of ASCII, as it was given');
  const findings = await verify({
    baseUrl,
    agentId,
    token,
    ...(productPath ? { productPath } : {}),
    ...(origin ? { origin } : {}),
    ...(message ? { message } : {}),
  });
  console.log(formatReport(baseUrl, findings));
  return findings.some(({ kind }) => kind === 'fault') ? 1 : 0;
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && !/[?#]/.test(text);
}
