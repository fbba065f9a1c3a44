import type { Page } from '@playwright/test';

/** Layout errors of the chats on a page; see `wrongLayout`. */
export type LayoutFaults = readonly string[];

/**
 * Checks every open chat on the page: only the transcript scrolls; header and composer are completely in the panel; the
 * panel is completely in the window (in place: as wide as its container); the page does not scroll further than before.
 * Runs in the page. These may scroll: sideways scrollers (code, tables, carousels), the text field, open lists, help,
 * the list of conversations.
 */
export function layoutFaults(): string[] {
  const faults: string[] = [];
  const deep = (root: ParentNode): HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? deep(element.shadowRoot) : []),
    ]);
  const nameOf = ({ localName, className }: Element): string => `${localName}.${String(className)}`;
  const mayScroll = 'textarea, agent-chat-help, [role=listbox], .multiselect .options, .body.scrolls';
  const isInside = (inner: DOMRect, outer: DOMRect): boolean =>
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1 &&
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1;
  const told = ({ top, right, bottom, left }: DOMRect): string =>
    [top, right, bottom, left].map(Math.round).join(' ');
  for (const chat of document.querySelectorAll('agent-chat')) {
    const all = chat.shadowRoot ? deep(chat.shadowRoot) : [];
    const panel = all.find((element) => element.matches('.panel'));
    if (!panel || panel.matches('.closed')) continue;
    for (const element of all) {
      if (element.matches('.scroller[role=log]')) {
        if (element.scrollWidth > element.clientWidth + 1 || element.scrollLeft !== 0)
          faults.push('the transcript scrolls sideways');
        continue;
      }
      const { overflowX, overflowY } = getComputedStyle(element);
      const { scrollHeight, clientHeight, scrollTop } = element;
      const free = /auto|scroll/.test(overflowY) && scrollHeight > clientHeight + 1;
      if (free && !element.matches(mayScroll))
        faults.push(`${nameOf(element)} scrolls: ${scrollHeight} in ${clientHeight}`);
      if (scrollTop !== 0 && /hidden|clip|visible/.test(overflowY) && !element.matches('.visually-hidden'))
        faults.push(`${nameOf(element)} was scrolled to ${scrollTop}`);
      if (element.scrollLeft !== 0 && !/auto|scroll/.test(overflowX) && !element.matches(mayScroll))
        faults.push(`${nameOf(element)} was scrolled sideways`);
    }
    const frame = panel.getBoundingClientRect();
    for (const selector of ['agent-chat-header', 'footer', 'agent-chat-composer .box']) {
      const part = all.find((element) =>
        selector.includes(' ')
          ? element.matches('.box') && element.querySelector('textarea')
          : element.matches(selector),
      );
      const box = part?.getBoundingClientRect();
      if (!box || box.height < 24) faults.push(`${selector} is not drawn`);
      else if (!isInside(box, frame))
        faults.push(`${selector} (${told(box)}) is not in the panel (${told(frame)})`);
    }
    const window = new DOMRect(0, 0, visualViewport?.width, visualViewport?.height);
    if (!panel.matches('.custom') && !isInside(frame, window))
      faults.push(`the panel (${told(frame)}) is not in the window (${told(window)})`);
    const layer = panel.closest('.layer') ?? (panel.getRootNode() as ShadowRoot).host.closest('.layer');
    const shown = layer?.getBoundingClientRect();
    if (panel.matches('.custom') && shown && !isInside(frame, shown))
      faults.push(`the panel (${told(frame)}) is not in its container (${told(shown)})`);
    const log = all.find((element) => element.matches('.scroller[role=log]'));
    const room = log?.getBoundingClientRect();
    if (!room || room.height < Math.min(60, frame.height - 100)) faults.push('no room is left to read');
  }
  return [...new Set(faults)];
}

/** The `layoutFaults` of a page. */
export function wrongLayout(page: Page): Promise<LayoutFaults> {
  return page.evaluate(layoutFaults);
}
