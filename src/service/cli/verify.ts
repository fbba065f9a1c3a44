import { reportOf, verify } from '../../verify/index.ts';
import { readOptions, UsageError } from './arguments.ts';

/** `agent-chat verify`: checks any server of the interface and prints a report. 1: the widget cannot work with it. */
export async function verifyCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, ['base-url', 'agent-id', 'token', 'product-path', 'origin', 'message']);
  const { 'base-url': baseUrl, 'agent-id': agentId, 'product-path': productPath, origin, message } = options;
  const token = options.token ?? process.env['AGENT_CHAT_TOKEN'];
  if (!baseUrl || !URL.canParse(baseUrl)) throw new UsageError('--base-url must be the address of a server');
  if (!agentId) throw new UsageError('--agent-id is required');
  if (!token) throw new UsageError('--token is required (or AGENT_CHAT_TOKEN in the environment)');
  const findings = await verify({
    baseUrl,
    agentId,
    token,
    ...(productPath ? { productPath } : {}),
    ...(origin ? { origin } : {}),
    ...(message ? { message } : {}),
  });
  console.log(reportOf(baseUrl, findings));
  return findings.some(({ kind }) => kind === 'fault') ? 1 : 0;
}
