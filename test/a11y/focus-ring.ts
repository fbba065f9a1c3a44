import type { EnginePage } from '../engines/engine-page.ts';

/** The sides on which the ring of the focused element is cut off: by a box around it, or by the window. */
export function cutRing(page: EnginePage): Promise<readonly string[]> {
  return page.evaluate(() => {
    const parentOf = (element: Element): Element | null =>
      element.assignedSlot ??
      element.parentElement ??
      ((element.getRootNode() as ShadowRoot).host as Element | undefined) ??
      null;
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    if (!focused || focused === document.body) return ['nothing has the focus'];
    const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(focused);
    if (outlineStyle === 'none') return []; // the box around a field has its ring
    const reach = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
    const box = focused.getBoundingClientRect();
    const cut = new Set<string>();
    const compare = (frame: DOMRect, margin = 0): void => {
      const beyond = reach - margin - 0.5;
      if (box.left - beyond < frame.left) cut.add('left');
      if (box.right + beyond > frame.right) cut.add('right');
      if (box.top - beyond < frame.top) cut.add('top');
      if (box.bottom + beyond > frame.bottom) cut.add('bottom');
    };
    compare(new DOMRect(0, 0, innerWidth, innerHeight));
    for (let at = parentOf(focused); at && at !== document.body; at = parentOf(at)) {
      const { overflowX, overflowClipMargin, position } = getComputedStyle(at);
      const margin = overflowX === 'clip' ? Number.parseFloat(overflowClipMargin) || 0 : 0;
      if (overflowX !== 'visible') compare(at.getBoundingClientRect(), margin);
      if (position === 'fixed') break;
    }
    return [...cut];
  }, undefined);
}
