/** Delay of announcements while the visitor types, in ms. */
export const typingPauseMs = 1000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces a text to screen readers after a delay in ms. Replaces an announcement that is still pending. */
export function announce(text: string, delayMs = 0): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const paragraph = document.createElement('p');
    paragraph.textContent = text;
    // a new element, so that the same text is announced again
    document.getElementById('said')?.replaceChildren(paragraph);
  }, delayMs);
}
