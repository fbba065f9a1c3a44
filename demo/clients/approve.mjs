// Another client than the widget: asks for a berth, is shown the decision as a form, and approves it.
import { createAgentClient } from 'agent-chat/client';

const { CHAT_URL: baseUrl, CHAT_TOKEN: token } = process.env;
const client = createAgentClient({ baseUrl, tokenProvider: () => token });
const messagesOf = async (request) => {
  const messages = [];
  for await (const { event, data } of client.runStream(request))
    if (event === 'message.created') messages.push(data);
  return messages;
};

const booking = { agent_id: 'booking', message: { role: 'user', content: 'Book B2 for the Wal' } };
const asked = (await messagesOf(booking)).at(-1);
const [form] = asked.message.content;
console.log(`${form.name}?`, form.form_data);
const content = [{ ...form, response_type: 'form_operation', form_operation: 'submit' }]; // or 'cancel', with a reason
const answer = { role: 'user', parent_message_id: asked.message_id, content };
const [told] = await messagesOf({ ...booking, thread_id: asked.thread_id, message: answer });
console.log(told.message.content[0].text);
