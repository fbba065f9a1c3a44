// Answers in a visitor's conversation as a person: node answer-as-person.mjs THREAD_ID NAME TEXT
// CHAT_SERVICE is the service's address, CHAT_KEY an API key with the scope "callback".
const { CHAT_SERVICE = 'http://localhost:8787', CHAT_KEY } = process.env;

/** Posts a colleague's message to a thread. Everyone who has the chat open sees it at once. */
export async function answerAsPerson(threadId, { name, id, text }) {
  const response = await fetch(`${CHAT_SERVICE}/api/v1/callback/${threadId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CHAT_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      role: 'assistant',
      content: [{ id: '1', response_type: 'text', text }],
      additional_properties: { author: { kind: 'person', name, id } },
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(answer.detail)}`);
  return answer;
}

const [threadId, name, text] = process.argv.slice(2);
if (text)
  console.log(JSON.stringify((await answerAsPerson(threadId, { name, text })).additional_properties.author));
