// A Markdown renderer in React, in the floor's scroller: the chat around it is not there.
import { createScroller, measure, readAnswer, watchRoot } from '/page/probe.js';

/** What may hold much of an answer: the end of it is looked for inside, as a line is on the other pages. */
const containers = 'div, ul, ol, table, tbody, pre, pre > code';

/**
 * Makes the page ready to be measured.
 * @param createRoot React's own
 * @param elementOf gives the element of a text that is streaming, or complete
 */
export function showAnswers(createRoot, elementOf) {
  const content = createScroller();
  const root = createRoot(content);
  let text = '';
  const append = (piece) => {
    text += piece;
    root.render(elementOf(text, true));
  };
  const lastText = () => {
    let last = content;
    while (last.matches(containers) && last.lastElementChild) last = last.lastElementChild;
    return last.textContent;
  };
  window.measure = (prompt) =>
    measure(
      {
        send: () => void readAnswer(prompt, append).then(() => root.render(elementOf(text, false))),
        watch: watchRoot(content),
        lastText,
      },
      prompt,
    );
  window.ready = Promise.resolve();
}
