// streamdown in React, without plugins, in the floor's scroller: a renderer, the chat around it is not there.
import { createElement, createRoot, Streamdown } from '/peer/streamdown/streamdown.js';
import { createScroller, measure, readAnswer, watchRoot } from '/page/probe.js';

const content = createScroller();
const root = createRoot(content);
let text = '';

function show(isAnimating) {
  root.render(createElement(Streamdown, { isAnimating }, text));
}

function append(piece) {
  text += piece;
  show(true);
}

/** What may hold much of an answer: the end of it is looked for inside, as a line is on the other pages. */
const containers = 'div, ul, ol, table, tbody, pre, pre > code';

function lastText() {
  let last = content;
  while (last.matches(containers) && last.lastElementChild) last = last.lastElementChild;
  return last.textContent;
}

window.measure = (prompt) =>
  measure(
    {
      send: () => void readAnswer(prompt, append).then(() => show(false)),
      watch: watchRoot(content),
      lastText,
    },
    prompt,
  );
window.ready = Promise.resolve();
