/**
 * What a press in the middle of each control of a chat would land on, as the page sees it; nothing where it is the chat.
 * Uses nothing outside of itself: end-to-end tests send it to the page.
 */
export function landings(host: Element): string[] {
  const deep = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? deep(each.shadowRoot) : []),
    ]);
  const controls = deep(host.shadowRoot ?? host).filter((each) => {
    const isControl = each.matches('button:not(.help), textarea, a[href]');
    return isControl && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  });
  if (controls.length === 0) throw new Error('no control is shown');
  return controls
    .map((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      const met = document.elementFromPoint(left + width / 2, top + height / 2);
      // out of the window, as what is scrolled away may be, there is nothing to land on
      return met === host || met === null
        ? ''
        : `${each.className || each.localName} is under ${met.id || met.localName}`;
    })
    .filter(Boolean);
}
