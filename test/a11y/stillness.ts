import type { EnginePage } from '../engines/engine-page.ts';

/** A running animation or transition, anywhere in the page. */
interface Moving {
  readonly name: string;
  /** Duration of one iteration in ms; 0 if it has none. */
  readonly duration: number;
  readonly isEndless: boolean;
}

/** Animations that run by the clock, also those in shadow roots, which `document.getAnimations()` omits. */
function moving(page: EnginePage): Promise<Moving[]> {
  return page.evaluate(() => {
    const all = (root: Document | ShadowRoot): Animation[] => [
      ...root.getAnimations(),
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? all(shadowRoot) : [])),
    ];
    return [...new Set(all(document))]
      .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline)
      .map((animation) => {
        const { duration, endTime } = animation.effect?.getComputedTiming() ?? {};
        return {
          name: (animation as CSSAnimation).animationName ?? (animation as CSSTransition).transitionProperty,
          duration: typeof duration === 'number' ? duration : 0,
          isEndless: endTime === Infinity,
        };
      });
  }, undefined);
}

/** Waits until all finite animations have ended, so that colours and positions are final. */
export async function untilStill(page: EnginePage): Promise<void> {
  for (;;) {
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      undefined,
    );
    if ((await moving(page)).every(({ isEndless }) => isEndless)) return;
  }
}
