import express from 'express';
import { chatToken } from './chat-token.mjs';

const sessions = new Map([['demo-session', 'visitor-1']]); // replace by your own sessions
const app = express();

app.get('/chat-token', (request, response) => {
  const session = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  const visitor = sessions.get(session);
  response.set('cache-control', 'no-store');
  if (visitor) response.json({ token: chatToken(visitor) });
  else response.status(401).json({});
});

app.listen(process.env.PORT ?? 3000);
