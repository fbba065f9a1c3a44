import { createServer } from 'node:http';
import { chatToken } from './chat-token.mjs';

const sessions = new Map([['demo-session', 'visitor-1']]); // replace by your own sessions

createServer((request, response) => {
  const session = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  const visitor = sessions.get(session);
  const isToken = request.url === '/chat-token';
  response.writeHead(!isToken ? 404 : visitor ? 200 : 401, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
  response.end(isToken && visitor ? JSON.stringify({ token: chatToken(visitor) }) : '{}');
}).listen(process.env.PORT ?? 3000);
