// The usual way: at each network read the whole text is parsed, sanitised and put in place of what was there.
import MarkdownIt from '/dist/bench/markdown-it.js';
import { createScroller, measure, readAnswer, watchRoot } from './probe.js';

const markdown = new MarkdownIt({ linkify: true });
const content = createScroller();
let text = '';

function append(piece) {
  text += piece;
  content.setHTML(markdown.render(text));
}

window.measure = (prompt) =>
  measure(
    {
      send: () => void readAnswer(prompt, append),
      watch: watchRoot(content),
      lastText: () => content.lastElementChild?.textContent ?? '',
    },
    prompt,
  );
window.ready = Promise.resolve();
