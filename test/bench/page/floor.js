// The floor: plain text appended at each network read, one block a line. Nothing that shows an answer can do less.
import { createScroller, measure, readAnswer, watchRoot } from './probe.js';

const content = createScroller();
let line;

function append(text) {
  const lines = text.split('\n');
  lines.forEach((part, index) => {
    if (index > 0 || !line) {
      line = document.createTextNode('');
      const block = document.createElement('div');
      block.append(line);
      content.append(block);
    }
    if (part) line.appendData(part);
  });
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
