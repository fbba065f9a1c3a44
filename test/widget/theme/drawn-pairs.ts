import { deepAll } from '../content/item-fixture.ts';

/** A pair of colours as it is drawn: what is in front, and what lies behind it, the nearest first. */
export interface Pair {
  readonly front: string;
  readonly behind: readonly string[];
  /** Least contrast that will do. */
  readonly least: number;
  readonly where: string;
}

/** A state of controls, with the pseudo-class that style sheets ask for; `''`: none. */
export const states = {
  'at rest': '',
  'under the pointer': ':hover',
  'with focus': ':focus-visible',
} as const;

/** Makes all in an element look as if it were in a state, without transitions and animations. */
export function putInState(host: Element, state: keyof typeof states): void {
  const still = new CSSStyleSheet();
  still.replaceSync('* { transition: none !important; animation: none !important }');
  const pseudo = states[state];
  for (const { shadowRoot } of [host, ...deepAll(host, '*')]) {
    if (!shadowRoot) continue;
    shadowRoot.adoptedStyleSheets = [
      ...shadowRoot.adoptedStyleSheets.map((sheet) => {
        const copy = new CSSStyleSheet();
        const text = [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');
        copy.replaceSync(pseudo ? text.replaceAll(pseudo, ':is(*)') : text);
        return copy;
      }),
      still,
    ];
  }
}

/** The pairs of text, icons, borders and, with focus, focus rings in an element; `brand` begins their places. */
export function drawnPairs(host: Element, state: keyof typeof states, brand: string): Pair[] {
  const pairs: Pair[] = [];
  for (const each of deepAll(host, '*')) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    if (each.matches('style, option, .visually-hidden, .visually-hidden *')) continue;
    const style = getComputedStyle(each);
    const where = `${brand} ${each.localName}.${String(each.getAttribute('class'))}`;
    const own = grounds(each);
    const around = grounds(parentOf(each));
    const isWritten = [...each.childNodes].some(
      ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
    );
    if (isWritten || each.matches('input, textarea, select'))
      pairs.push({ front: style.color, behind: own, least: 4.5, where });
    if (each.matches('input, textarea')) {
      const { color } = getComputedStyle(each, '::placeholder');
      pairs.push({ front: color, behind: own, least: 4.5, where: `${where} placeholder` });
    }
    const isOff = each.matches(':disabled, [aria-disabled=true], :disabled *, [aria-disabled=true] *');
    if (each.localName === 'svg' && !isOff) pairs.push({ front: style.stroke, behind: own, least: 3, where });
    const isBox = each.matches('button, input:not([type=checkbox], [type=radio]), select');
    if (isBox && !isOff && parseFloat(style.borderTopWidth) > 0 && !isClear(style.borderTopColor))
      pairs.push({ front: style.borderTopColor, behind: around, least: 3, where: `${where} border` });
    const hasRing = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== 'none';
    const isFocusable = each.matches('button, a[href], input, textarea, select, summary, [tabindex]');
    if (state === 'with focus' && hasRing && isFocusable) {
      const ground = parseFloat(style.outlineOffset) < 0 ? own : around;
      pairs.push({ front: style.outlineColor, behind: ground, least: 3, where: `${where} ring` });
    }
  }
  return pairs;
}

function parentOf(element: Element): Element | null {
  return (
    element.assignedSlot ??
    element.parentElement ??
    (element.getRootNode() as Partial<ShadowRoot>).host ?? // undefined in the document itself
    null
  );
}

function isClear(colour: string): boolean {
  return /^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);
}

/** The backgrounds behind an element, the nearest first, down to one that covers the others. */
function grounds(from: Element | null): string[] {
  const layers: string[] = [];
  for (let up = from; up; up = parentOf(up)) {
    const { backgroundColor } = getComputedStyle(up);
    if (isClear(backgroundColor)) continue;
    layers.push(backgroundColor);
    if (!/[/]|^rgba\(/.test(backgroundColor)) return layers;
  }
  return [...layers, 'rgb(255, 255, 255)'];
}
