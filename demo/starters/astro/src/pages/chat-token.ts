import { randomUUID } from 'node:crypto';
import type { APIRoute } from 'astro';
import { getSecret } from 'astro:env/server';
import { chatToken } from '../lib/chat-token';

export const prerender = false;

export const GET: APIRoute = ({ cookies }) => {
  const session = cookies.get('chat-session')?.value ?? randomUUID(); // replace by the session of a signed-in visitor
  const secure = import.meta.env.PROD;
  cookies.set('chat-session', session, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    path: '/',
    maxAge: 2_592_000,
  });
  const token = chatToken(session, getSecret('JWT_SECRET'));
  return Response.json({ token }, { headers: { 'cache-control': 'no-store' } });
};
