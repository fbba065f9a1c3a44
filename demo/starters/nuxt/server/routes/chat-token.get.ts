import { randomUUID } from 'node:crypto';
import { chatToken } from '../utils/chat-token';

export default defineEventHandler((event) => {
  const session = getCookie(event, 'chat-session') ?? randomUUID(); // replace by the session of a signed-in visitor
  setCookie(event, 'chat-session', session, {
    httpOnly: true,
    sameSite: 'lax',
    secure: !import.meta.dev,
    path: '/',
    maxAge: 2_592_000,
  });
  setHeader(event, 'cache-control', 'no-store');
  return { token: chatToken(session, useRuntimeConfig(event).jwtSecret) };
});
