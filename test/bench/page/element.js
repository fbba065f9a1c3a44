// The Markdown element alone, in the floor's scroller: what is left of the widget's cost without the widget.
import { createScroller, measure, readAnswer, watchRoot } from './probe.js';

const content = createScroller();
const script = document.createElement('script');
script.src = '/dist/agent-chat.js';
document.head.append(script);
const chat = document.createElement('agent-chat');
chat.setAttribute('open', '');
chat.setAttribute('agent-id', 'bench');
document.body.append(chat);

/** What may hold much of an answer: the end of it is looked for inside, as a line is on the other pages. */
const containers = '.section, ul, ol, .more, .table, table, tbody, .code, pre, pre > code';

let element;
window.ready = customElements.whenDefined('agent-chat-markdown').then(() => {
  chat.remove();
  element = document.createElement('agent-chat-markdown');
  element.streaming = true;
  content.append(element);
});

let text = '';
let waiting = false;

/** The first text at once, then at most once a frame, as the widget does. */
function append(piece) {
  text += piece;
  if (waiting) return;
  show();
}

function show() {
  if (element.text === text) return;
  element.text = text;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    show();
  });
}

function lastText() {
  let last = element.shadowRoot.querySelector('.body').lastElementChild;
  while (last?.matches(containers)) last = last.lastElementChild;
  return last?.textContent ?? '';
}

window.measure = (prompt) => {
  const watch = watchRoot(element.shadowRoot);
  return measure({ send: () => void readAnswer(prompt, append), lastText, watch }, prompt);
};
