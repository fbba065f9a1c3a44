// The widget as a customer has it: one script tag, an answer over the network, the panel open; with `?closed` only the
// launcher is there until the question is asked.
import { measure } from './probe.js';

const chat = document.createElement('agent-chat');
chat.setAttribute('agent-id', 'bench');
chat.setAttribute('base-url', location.origin);
chat.setAttribute('token', 'bench');
const closed = location.search === '?closed';
if (!closed) chat.setAttribute('open', '');
document.body.append(chat);

const script = document.createElement('script');
script.src = '/dist/agent-chat.js';
document.head.append(script);

/** Shadow roots as they are made: the answer stands several deep. */
const roots = [];
let watching;
const attachShadow = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (init) {
  const root = attachShadow.call(this, init);
  roots.push(root);
  watching?.observe(root, { childList: true, characterData: true, subtree: true });
  return root;
};

let markdown;

/** What may hold much of an answer: the end of it is looked for inside, as a line is on the other pages. */
const containers = '.section, ul, ol, .more, .table, table, tbody, .code, pre, pre > code';

function lastText() {
  if (!markdown?.isConnected)
    markdown = roots.findLast(({ host }) => host.localName === 'agent-chat-markdown' && host.isConnected);
  let last = markdown?.querySelector('.body')?.lastElementChild;
  // code is plain text until what shows it in lines is there
  while (last?.matches(containers) && last.lastElementChild) last = last.lastElementChild;
  return last?.textContent ?? '';
}

function watch(seen) {
  watching = new MutationObserver(() => {
    if (!seen()) return;
    watching.disconnect();
    watching = undefined;
  });
}

async function send(text) {
  if (closed) await chat.show();
  await chat.send(text);
}

window.measure = (prompt) => measure({ send: (text) => void send(text), lastText, watch }, prompt);
window.ready = customElements
  .whenDefined(closed ? 'agent-chat' : 'agent-chat-composer')
  .then(() => chat.updateComplete);
