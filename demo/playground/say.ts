/** How long who writes must pause before they are told of it, in milliseconds. */
export const whileWriting = 1000;

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Tells who does not see the page what happened on it. What was to be said before, and is not yet, is not said. */
export function say(text: string, pause = 0): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const said = document.createElement('p');
    said.textContent = text;
    // an element of its own: the same words are said again
    document.getElementById('said')?.replaceChildren(said);
  }, pause);
}
