import type { Page } from '@playwright/test';
import type { EnginePage } from '../engines/engine-page.ts';

/**
 * Records every text that enters a live region, in order, as a screen reader would announce it, also in shadow
 * roots and repeatedly. Runs in the page before everything else.
 */
export function recordLiveRegions(): void {
  const announcements: string[] = [];
  Object.assign(globalThis, { announcements });
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
        if (type === 'characterData' && isLive(parent)) announcements.push(target.textContent ?? '');
        for (const node of addedNodes) {
          const text = node.textContent?.trim() ?? '';
          if (text && isLive(node instanceof Element ? node : parent)) announcements.push(text);
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

/** Records announcements in a page. Call before the page opens. */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.addInitScript(recordLiveRegions);
}

/** The announcements so far. */
export function announcementsOf(page: EnginePage): Promise<string[]> {
  // `recordLiveRegions` has put them there
  return page.evaluate(() => (globalThis as unknown as { announcements: string[] }).announcements, undefined);
}
