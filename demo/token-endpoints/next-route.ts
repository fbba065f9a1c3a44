// app/chat-token/route.ts
import { chatToken } from './chat-token.mjs';

const sessions = new Map([['demo-session', 'visitor-1']]); // replace by your own sessions

export function GET(request: Request): Response {
  const cookies = request.headers.get('cookie') ?? '';
  const session = /(?:^|; )session=([^;]+)/.exec(cookies)?.[1];
  const visitor = sessions.get(session ?? '');
  const headers = { 'cache-control': 'no-store' };
  return visitor
    ? Response.json({ token: chatToken(visitor) }, { headers })
    : Response.json({}, { status: 401, headers });
}
