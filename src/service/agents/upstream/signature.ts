import { createHmac } from 'node:crypto';

/**
 * Returns the header `X-Agent-Signature`: `t=<milliseconds since the epoch>,v1=<hex>`, where `v1` is the HMAC-SHA256 of
 * `<t>.<body>`. A back end refuses a signature that is older than five minutes, or that it has seen before.
 */
export function sign(body: string, secret: string, now = Date.now()): string {
  const hash = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
  return `t=${now},v1=${hash}`;
}
