import type { Page } from '@playwright/test';
import type { EnginePage } from '../engines/engine-page.ts';

/**
 * Keeps every text that enters a live region of the page, in order, as a screen reader would hear it: regions in shadow
 * roots too, a text once for each time it is put there. Runs in the page, before all else.
 */
export function keepHeard(): void {
  const heard: string[] = [];
  Object.assign(globalThis, { heard });
  const isLive = (element: Element | null): boolean => {
    for (let at = element; at; at = at.parentElement ?? (at.getRootNode() as ShadowRoot).host ?? null) {
      const live = at.getAttribute('aria-live');
      if (live === 'off') return false;
      if (live === 'polite' || live === 'assertive') return true;
      if (/^(status|alert|log)$/.test(at.getAttribute('role') ?? '')) return true;
    }
    return false;
  };
  const watch = (root: Node): void => {
    new MutationObserver((records) => {
      for (const { target, addedNodes, type } of records) {
        const parent = target instanceof Element ? target : target.parentElement;
        if (type === 'characterData' && isLive(parent)) heard.push(target.textContent ?? '');
        for (const node of addedNodes) {
          const text = node.textContent?.trim() ?? '';
          if (text && isLive(node instanceof Element ? node : parent)) heard.push(text);
        }
      }
    }).observe(root, { childList: true, characterData: true, subtree: true });
  };
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    watch(root);
    return root;
  };
  watch(document);
}

/** Lets a page keep what is heard on it. Call before the page is opened. */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(keepHeard);
}

/** What was heard so far. */
export function heard(page: EnginePage): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard, undefined); // put there by `keepHeard`
}
