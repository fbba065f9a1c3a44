// deep-chat with its defaults, as large as the widget, streaming through its documented handler.
import { measure, readAnswer, watchRoot } from '/page/probe.js';

const chat = document.createElement('deep-chat');
chat.style.cssText = 'position: fixed; inset: auto 20px 88px auto; width: 400px; height: 560px';
chat.connect = {
  stream: true,
  handler: async ({ messages }, signals) => {
    signals.onOpen();
    await readAnswer(messages[0].text, (text) => void signals.onResponse({ text }));
    signals.onClose();
  },
};
window.ready = new Promise((resolve) => {
  chat.onComponentRender = resolve;
});
document.body.append(chat);

/** What may hold much of an answer: the end of it is looked for inside, as a line is on the other pages. */
const containers = 'div, ul, ol, table, tbody, pre, pre > code';

let answer;

function lastText() {
  if (!answer?.isConnected) answer = chat.shadowRoot.querySelector('.ai-message-text');
  let last = answer;
  while (last?.matches(containers) && last.lastElementChild) last = last.lastElementChild;
  return last?.textContent ?? '';
}

window.measure = (prompt) =>
  measure(
    {
      send: (text) => chat.submitUserMessage({ text }),
      watch: watchRoot(chat.shadowRoot),
      lastText,
    },
    prompt,
  );
