import { randomUUID } from 'node:crypto';
import { json, type RequestHandler } from '@sveltejs/kit';
import { JWT_SECRET } from '$app/env/private';
import { chatToken } from '#lib/server/chat-token';

export const GET: RequestHandler = ({ cookies }) => {
  const session = cookies.get('chat-session') ?? randomUUID(); // replace by the session of a signed-in visitor
  cookies.set('chat-session', session, { path: '/', maxAge: 2_592_000 });
  const token = chatToken(session, JWT_SECRET);
  return json({ token }, { headers: { 'cache-control': 'no-store' } });
};
