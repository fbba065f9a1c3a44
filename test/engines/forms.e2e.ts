import { expect, test } from '@playwright/test';
import { focused } from '../a11y/focus.ts';
import type { EnginePage } from './engine-page.ts';
import { inEachEngine } from './in-each-engine.ts';
import { openChat } from './open-chat.ts';

const patient = { timeout: 20_000 };

/** How far what has focus stands inside its scroller, label included, and what is written in it. */
function field(page: EnginePage): Promise<{ above: number; below: number; written: string }> {
  return page.evaluate(() => {
    let input = document.activeElement;
    while (input?.shadowRoot?.activeElement) input = input.shadowRoot.activeElement;
    let scroller: Element | null | undefined = input;
    for (let node: Node | null | undefined = input; node && !scroller?.matches('.scroller');) {
      node = node instanceof ShadowRoot ? node.host : node.parentNode;
      if (node instanceof Element) scroller = node;
    }
    const label = (input?.getRootNode() as ShadowRoot).querySelector(`[for="${input?.id ?? ''}"]`);
    const [view, box] = [scroller, input].map((element) => element?.getBoundingClientRect());
    return {
      above: (label?.getBoundingClientRect().top ?? NaN) - (view?.top ?? NaN),
      below: (view?.bottom ?? NaN) - (box?.bottom ?? NaN),
      written: (input as HTMLInputElement).value,
    };
  }, undefined);
}

/** How the focused field is outlined. */
function outline(page: EnginePage): Promise<string> {
  return page.evaluate(() => {
    let input = document.activeElement;
    while (input?.shadowRoot?.activeElement) input = input.shadowRoot.activeElement;
    return input ? getComputedStyle(input).outlineStyle : '';
  }, undefined);
}

/** Whether the button of our calendar covers the browser's own, or that one can be hidden. */
function coversOwnCalendar(page: EnginePage): Promise<boolean> {
  return page.evaluate(() => {
    let input = document.activeElement;
    while (input?.shadowRoot?.activeElement) input = input.shadowRoot.activeElement;
    const ours = input?.parentElement?.querySelector('agent-chat-calendar');
    if (!input || !ours) return false;
    const room = input.getBoundingClientRect().right - ours.getBoundingClientRect().left;
    const ownWidth = 18;
    return (
      CSS.supports('selector(::-webkit-calendar-picker-indicator)') ||
      room >= parseFloat(getComputedStyle(input).paddingRight) + ownWidth
    );
  }, undefined);
}

inEachEngine((bench) => {
  test('a form’s fields scroll into view with their labels, and a decimal comma follows the language', async () => {
    const { page, open } = bench();
    await open('demo');
    await openChat(page);
    await page.evaluate(() => document.querySelector('agent-chat')?.setAttribute('lang', 'de'), undefined);
    await page.keyboard.type('/form');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toBe('input: Name of the boat*');
    await expect.poll(async () => (await field(page)).above, patient).toBeGreaterThanOrEqual(0);

    await page.keyboard.press('Tab');
    await page.keyboard.type('11,5');
    expect((await field(page)).written).toBe('11.5');

    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('input: Day of arrival*');
    expect(await outline(page)).toBe('solid');
    expect(await coversOwnCalendar(page)).toBe(true);

    for (let stops = 0; (await focused(page)) !== 'textarea: Anything else?' && stops < 20; stops += 1)
      await page.keyboard.press('Tab');
    const { above, below } = await field(page);
    expect(above).toBeGreaterThanOrEqual(0);
    expect(below).toBeGreaterThanOrEqual(0);
  });
});
