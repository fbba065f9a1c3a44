import type { BrowserContext, CDPSession, Page } from '@playwright/test';

/** Options of a context like a phone in portrait: touch, and scrollbars that take no space. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/**
 * Simulates an on-screen keyboard in every page of a context: while a text field has focus, the visual viewport is half
 * as high as the window. Call it before a page is opened.
 */
export async function addScreenKeyboard(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const viewport = globalThis.visualViewport;
    if (!viewport) throw new Error('this browser has no visual viewport');
    let isUp = false;
    Object.defineProperty(viewport, 'height', {
      get: () => (isUp ? Math.round(innerHeight / 2) : innerHeight),
    });
    const takesText = (): boolean => {
      let focused = document.activeElement;
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      const isPicker = 'input:is([type=checkbox], [type=radio], [type=file], [type=range], [type=date])';
      return Boolean(focused?.matches(':read-write') && !focused.matches(isPicker));
    };
    // focus changes within a shadow root fire no event outside it
    const look = (): void => {
      requestAnimationFrame(look);
      if (takesText() === isUp) return;
      isUp = !isUp;
      viewport.dispatchEvent(new Event('resize'));
    };
    look();
  });
}

/** Height of the window above the keyboard. */
export function heightLeft(page: Page): Promise<number> {
  return page.evaluate(() => visualViewport?.height ?? 0);
}

/** Whether the on-screen keyboard is visible. */
export async function isKeyboardUp(page: Page): Promise<boolean> {
  return (await heightLeft(page)) < (page.viewportSize()?.height ?? 0);
}

/** Swipes vertically from a point. The finger pauses before it is lifted, so that scrolling has no momentum. */
export async function swipe(page: Page, from: { readonly x: number; readonly y: number }, by: number) {
  const session = await page.context().newCDPSession(page);
  const steps = 10;
  const begun = Date.now() / 1000;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number): Promise<unknown> =>
    session.send('Input.dispatchTouchEvent', {
      type,
      timestamp: begun + step / 60,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y: from.y + (by * step) / steps }],
    });
  await touch('touchStart', 0);
  for (let step = 1; step <= steps; step += 1) await touch('touchMove', step);
  await touch('touchEnd', 60);
  await session.detach();
}

/** A finger on a touch screen. */
export class Finger {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async down(page: Page, at: { readonly x: number; readonly y: number }): Promise<Finger> {
    const finger = new Finger(await page.context().newCDPSession(page));
    await finger.#send('touchStart', [at]);
    return finger;
  }

  move(to: { readonly x: number; readonly y: number }): Promise<void> {
    return this.#send('touchMove', [to]);
  }

  async up(): Promise<void> {
    await this.#send('touchEnd', []);
    await this.#session.detach();
  }

  async #send(
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: readonly { readonly x: number; readonly y: number }[],
  ): Promise<void> {
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] });
  }
}
