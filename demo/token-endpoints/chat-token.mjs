import { createHmac } from 'node:crypto';

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token for a signed-in visitor, good for ten minutes. Answer `GET /chat-token` with `{ token }`. */
export function chatToken(visitorId) {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const unsigned = `${encode({ alg: 'HS256' })}.${encode({ sub: visitorId, tenant_id: 'shop', scope: 'run callback notify', exp })}`;
  return `${unsigned}.${createHmac('sha256', process.env.JWT_SECRET).update(unsigned).digest('base64url')}`;
}
