import type { EnginePage } from '../engines/engine-page.ts';

/** The focused element as a person would name it: role or tag, and name; `page` for none. */
export function focused(page: EnginePage): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (!element || element === document.body) return 'page';
    const root = element.getRootNode() as Document | ShadowRoot;
    const byId = (ids: string | null): string =>
      (ids ?? '')
        .split(' ')
        .map((id) => (id ? (root.querySelector(`[id="${id}"]`)?.textContent ?? '') : ''))
        .join(' ');
    const control = element as HTMLInputElement;
    const name =
      element.getAttribute('aria-label') ||
      byId(element.getAttribute('aria-labelledby')) ||
      [...(control.labels ?? [])].map((label) => label.textContent).join(' ') ||
      element.textContent ||
      '';
    const role = element.getAttribute('role') ?? element.localName;
    return `${role}: ${name.replace(/\s+/g, ' ').trim()}`;
  }, undefined);
}

/** Presses a key until an element with this name has focus; returns the path there, including it. */
export async function pressUntil(
  page: EnginePage,
  key: string,
  wanted: string,
  most = 25,
): Promise<string[]> {
  const way: string[] = [];
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press(key);
    const now = await focused(page);
    way.push(now);
    if (now.includes(wanted)) return way;
  }
  throw new Error(`${key} never reached ${wanted}; it went ${way.join(' → ')}`);
}
