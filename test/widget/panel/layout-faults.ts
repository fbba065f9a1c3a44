/**
 * Finds layout errors in the panel: elements that overflow it sideways, controls that overlap, and controls that cannot
 * be pressed after they were scrolled into view.
 */
export function layoutFaults(panel: Element): string[] {
  const faults: string[] = [];
  const frame = panel.getBoundingClientRect();
  const parentOf = (element: Element): Element | null =>
    element.assignedSlot ??
    element.parentElement ??
    (element.getRootNode() as Partial<ShadowRoot>).host ??
    null;
  const deep = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? deep(element.shadowRoot) : []),
    ]);
  const isInside = (element: Element, other: Element): boolean => {
    for (let up: Element | null = element; up && up !== panel; up = parentOf(up))
      if (up === other) return true;
    return false;
  };
  const regionOf = (element: Element): Element | null => {
    let up: Element | null = element;
    while (up && !up.matches('[data-region]')) up = parentOf(up);
    return up;
  };
  const nameOf = ({ localName, className, textContent }: Element): string =>
    `${localName}.${String(className)} ${textContent?.trim().slice(0, 30) ?? ''}`;
  const all = deep(panel).filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getBoundingClientRect().width >= 2,
  );
  for (const element of all) {
    const { left, right } = element.getBoundingClientRect();
    if (left >= frame.left - 1 && right <= frame.right + 1) continue;
    let scrolls = false;
    // content of a sideways scroller may be wider than the panel; the transcript is not one
    for (let up = parentOf(element); up && up !== panel; up = parentOf(up))
      scrolls ||= !up.matches('.scroller[role=log]') && /auto|scroll/.test(getComputedStyle(up).overflowX);
    if (!scrolls) faults.push(`overflows the panel: ${nameOf(element)}`);
  }
  const transcript = deep(panel).find((element) => element.matches('.scroller[role=log]'));
  if (transcript && transcript.scrollWidth > transcript.clientWidth + 1)
    faults.push('the transcript scrolls sideways');

  const controls = all.filter((element) =>
    element.matches('button:not(.help), a[href], input, textarea, select, summary, [role=option]'),
  );
  for (const [index, one] of controls.entries()) {
    const box = one.getBoundingClientRect();
    for (const other of controls.slice(index + 1)) {
      if (isInside(other, one) || isInside(one, other)) continue;
      if (other.matches('.pill') || one.matches('.pill')) continue; // floats over the transcript
      // the button of a combobox or a calendar stands inside its field, which has padding for it
      if (other.closest('agent-chat-combobox, agent-chat-calendar')?.parentElement === one.parentElement)
        continue;
      // compare controls of the same scroller only
      if (regionOf(one) !== regionOf(other)) continue;
      const otherBox = other.getBoundingClientRect();
      const overlapX = Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left);
      const overlapY = Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top);
      if (overlapX > 1 && overlapY > 1) faults.push(`overlap: ${nameOf(one)} and ${nameOf(other)}`);
    }
    one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { left, top, width, height } = one.getBoundingClientRect();
    let hit = document.elementFromPoint(left + width / 2, top + height / 2);
    for (let inner = hit; inner?.shadowRoot && inner !== one;) {
      inner = inner.shadowRoot.elementFromPoint(left + width / 2, top + height / 2);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    const isLabelled = hit?.closest('label')?.contains(one);
    // the button to the end disappears one frame after the end is reached
    const isLeaving = hit?.closest('.pill') && isAtEnd(transcript);
    if (!isLeaving && (!hit || !(isInside(hit, one) || isInside(one, hit) || isLabelled)))
      faults.push(`cannot be pressed: ${nameOf(one)}, under ${hit ? nameOf(hit) : 'nothing'}`);
  }
  // header, conversation and composer share the panel without a gap or an overlap
  const regions = [...panel.querySelectorAll('[data-region]')].map((each) => each.getBoundingClientRect());
  for (const [index, { top, height }] of regions.entries()) {
    const above = regions[index - 1];
    if (above && Math.abs(above.bottom - top) > 1)
      faults.push(`region ${index} does not begin where the one before it ends`);
    if (height < 24) faults.push(`region ${index} is too low`);
  }
  if ((regions.at(-1)?.bottom ?? 0) > frame.bottom + 1) faults.push('the composer is cut off');
  return faults;
}

function isAtEnd(scroller: Element | undefined): boolean {
  return !!scroller && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= 24;
}
