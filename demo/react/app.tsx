import { useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { AgentChat } from 'agent-chat/react';

function App(): ReactNode {
  const [open, setOpen] = useState(false);
  const [answers, setAnswers] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setOpen(!open)}>
        {open ? 'Close the chat' : 'Ask the harbour office'}
      </button>
      <output>{answers === 1 ? '1 answer' : `${answers} answers`}</output>
      <AgentChat
        baseUrl={location.origin}
        agentId="demo"
        tokenUrl="/demo/token"
        starters={[{ title: 'When is high water?' }]}
        open={open}
        onOpen={() => setOpen(true)}
        onClose={() => setOpen(false)}
        onMessageComplete={() => setAnswers((count) => count + 1)}
      />
    </>
  );
}

const root = document.querySelector('#app');
if (root) createRoot(root).render(<App />);
