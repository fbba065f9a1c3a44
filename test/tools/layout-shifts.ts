import type { Page } from '@playwright/test';

/** A shift that the browser counted. */
export interface LayoutShift {
  /** The browser's measure: share of the view times distance. */
  readonly value: number;
  /** Whether it followed a press within half a second, which the measure does not count. */
  readonly recent: boolean;
  /** What moved, from where to where. */
  readonly moves: readonly string[];
}

/** Records the shifts of every page to come, of the page's parts and the chat's. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: LayoutShift[] = [];
    Reflect.set(globalThis, 'shifts', shifts);
    const deep = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((each) => [
        each,
        ...(each.shadowRoot ? deep(each.shadowRoot) : []),
      ]);
    /** What stands there now: parts of a shadow tree are not named by the entry. */
    const named = ({ x, y, width, height }: DOMRectReadOnly): string =>
      deep(document)
        .filter((each) => {
          const box = each.getBoundingClientRect();
          return Math.abs(box.x - x) + Math.abs(box.y - y) < 2 && box.width >= width && box.height >= height;
        })
        .map(({ localName, className }) => `${localName}.${String(className)}`)
        .at(-1) ?? '';
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources, hadRecentInput } = entry as PerformanceEntry & {
          hadRecentInput: boolean;
          value: number;
          sources: { previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
        }; // entries of this type have these
        const moves = sources.map(({ previousRect: from, currentRect: to }) => {
          const places = [from, to].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round));
          return `${named(to)} ${places.join(' to ')}`;
        });
        shifts.push({ value, recent: hadRecentInput, moves });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The shifts so far, those of the current frame too. */
export async function shiftsOf(page: Page): Promise<readonly LayoutShift[]> {
  // what was shifted is told of after the frame that shows it
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return page.evaluate(() => Reflect.get(globalThis, 'shifts') as LayoutShift[]);
}
