/**
 * How many layout pixels of an element, the unit of scroll positions, are one pixel of its client rectangle. It differs
 * from 1 where a page zooms or scales what is around the chat.
 * @param element its `box-sizing` is `border-box`
 */
export function ownPixels(element: Element): number {
  const { height } = element.getBoundingClientRect();
  return height > 0 ? parseFloat(getComputedStyle(element).height) / height : 1;
}
