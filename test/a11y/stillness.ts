import type { Page } from '@playwright/test';

/** An animation or a transition that is running, anywhere in the page. */
export interface Moving {
  readonly name: string;
  /** Milliseconds of one round; 0 when it says none. */
  readonly duration: number;
  readonly isEndless: boolean;
}

/** What moves now, in shadow roots too: `document.getAnimations()` leaves those out. */
export function moving(page: Page): Promise<Moving[]> {
  return page.evaluate(() => {
    const all = (root: Document | ShadowRoot): Animation[] => [
      ...root.getAnimations(),
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? all(shadowRoot) : [])),
    ];
    return [...new Set(all(document))]
      .filter(({ playState }) => playState === 'running')
      .map((animation) => {
        const { duration, endTime } = animation.effect?.getComputedTiming() ?? {};
        return {
          name: (animation as CSSAnimation).animationName ?? (animation as CSSTransition).transitionProperty,
          duration: typeof duration === 'number' ? duration : 0,
          isEndless: endTime === Infinity,
        };
      });
  });
}

/** Waits until all that ends by itself has ended: colours and places are then what they stay. */
export async function untilStill(page: Page): Promise<void> {
  for (;;) {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    if ((await moving(page)).every(({ isEndless }) => isEndless)) return;
  }
}
