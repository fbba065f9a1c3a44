import { randomUUID } from 'node:crypto';
import { cookies } from 'next/headers';
import { chatToken } from './chat-token';

export async function GET(): Promise<Response> {
  const jar = await cookies();
  const session = jar.get('chat-session')?.value ?? randomUUID(); // replace by the session of a signed-in visitor
  const secure = process.env.NODE_ENV === 'production';
  jar.set('chat-session', session, { httpOnly: true, sameSite: 'lax', secure, maxAge: 2_592_000 });
  const token = chatToken(session, process.env.JWT_SECRET);
  return Response.json({ token }, { headers: { 'cache-control': 'no-store' } });
}
