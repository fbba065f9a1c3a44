import type { ReactNode } from 'react';
import { AgentChat } from 'agent-chat/react';

export const metadata = { title: 'Harbour' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <AgentChat
          baseUrl={process.env.NEXT_PUBLIC_CHAT_SERVICE}
          agentId="demo"
          tokenUrl="/chat-token"
          primaryColor="#0f62fe"
        />
      </body>
    </html>
  );
}
