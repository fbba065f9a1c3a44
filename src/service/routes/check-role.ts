import type { Message } from '../../protocol/index.ts';
import type { Caller } from '../auth/caller.ts';
import { invalid } from '../errors/problem.ts';

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
