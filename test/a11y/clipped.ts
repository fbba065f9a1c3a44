import type { Page } from '@playwright/test';

/** What is cut off in a page; see `clippedHere`. */
export const clipped = (page: Page): Promise<string[]> => page.evaluate(clippedHere);

/** Elements whose box is too small for their text, or that extend out of the window; scrollers may. */
export function clippedHere(): string[] {
  const found: string[] = [];
  const scrolls = (element: Element): boolean => {
    for (let at: Element | null = element; at && at.localName !== 'agent-chat-transcript';) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
      at =
        at.assignedSlot ??
        at.parentElement ??
        ((at.getRootNode() as ShadowRoot).host as Element | undefined) ??
        null;
    }
    return false;
  };
  const walk = (root: ParentNode): void => {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const own = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
      );
      const box = element.getBoundingClientRect();
      if (!own || box.width < 2 || element.matches('.visually-hidden, .help, option, pre, code, style'))
        continue;
      const { overflowX, overflowY } = getComputedStyle(element);
      const isCut =
        (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
        (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1);
      const isOutside = box.left < -1 || box.right > innerWidth + 1;
      if ((isCut || isOutside) && !scrolls(element))
        found.push(`${element.localName}.${element.className}: ${element.textContent?.trim() ?? ''}`);
    }
  };
  const root = document.querySelector('agent-chat')?.shadowRoot;
  if (root) walk(root);
  return found;
}
