/**
 * How many pixels of an element's own layout, in which scroll positions count, are one pixel of its client rectangle: a page
 * may zoom or scale what is around the chat.
 * @param element its `box-sizing` is `border-box`
 */
export function ownPixels(element: Element): number {
  const { height } = element.getBoundingClientRect();
  return height > 0 ? parseFloat(getComputedStyle(element).height) / height : 1;
}
