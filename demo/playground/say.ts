/** Delay of announcements while the visitor types, in ms. */
export const whileWriting = 1000;

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Announces a text to screen readers. Replaces an announcement that is still pending. */
export function say(text: string, pause = 0): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const said = document.createElement('p');
    said.textContent = text;
    // a new element, so that the same text is announced again
    document.getElementById('said')?.replaceChildren(said);
  }, pause);
}
