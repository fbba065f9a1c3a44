import type { Message } from '../../protocol/index.ts';
import { isLongerThan } from '../agents/agent.ts';
import type { Caller } from '../auth/caller.ts';
import { invalid, tooLarge } from '../errors/problem.ts';

/**
 * Checks that a message has content with at most `limit` characters of text.
 * @param loc of the content in the request
 * @throws Problem 413 or 422
 */
export function checkContent(message: Message, limit: number, loc: readonly string[]): void {
  if (message.content == null) throw invalid(loc, 'is required', 'missing');
  if (isLongerThan(message, limit))
    throw tooLarge(loc, `must have at most ${limit} characters of text`, 'MESSAGE_LIMIT');
}

/**
 * Checks that a visitor writes in a role that the agent's operator allows: the model would take a message of another
 * role for its own words. Servers may use any role.
 * @throws Problem 422
 */
export function checkRole(
  message: Message,
  caller: Caller,
  { roles, loc }: { readonly roles: readonly string[]; readonly loc: readonly string[] },
): void {
  if (caller.subject === undefined || roles.includes(message.role ?? 'user')) return;
  const allowed = roles.map((role) => JSON.stringify(role)).join(' or ');
  throw invalid(loc, `must be ${allowed} for a visitor's token`);
}
