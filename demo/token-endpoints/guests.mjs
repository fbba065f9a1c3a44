import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { chatToken } from './chat-token.mjs';

const site = process.env.SITE ?? 'https://docs.example.com'; // the only origin that may read a token

createServer((request, response) => {
  const guest = /(?:^|; )chat_guest=([\w-]{36})/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
  const isToken = request.url === '/chat-token';
  response.writeHead(isToken ? 200 : 404, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'set-cookie': `chat_guest=${guest}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax`,
    'access-control-allow-origin': site,
    'access-control-allow-credentials': 'true',
  });
  const visitor = createHash('sha256').update(guest).digest('hex');
  response.end(isToken ? JSON.stringify({ token: chatToken(visitor) }) : '{}');
}).listen(process.env.PORT ?? 3000);
