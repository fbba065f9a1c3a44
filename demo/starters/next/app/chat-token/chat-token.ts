import { createHash, createHmac } from 'node:crypto';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token for one visitor, good for ten minutes. `session` is a secret that only the visitor's browser has. */
export function chatToken(session: string, secret: string | undefined): string {
  if (!secret) throw new Error('Set JWT_SECRET to the secret of the chat service.');
  const claims = {
    sub: createHash('sha256').update(session).digest('base64url'), // the visitor's id, without the secret
    tenant_id: 'shop',
    scope: 'run callback notify',
    exp: Math.floor(Date.now() / 1000) + 600,
  };
  const unsigned = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`;
}
