/**
 * The page's CSS `zoom` in force for an element. Client rectangles and the viewport include it; lengths in styles and
 * `offsetWidth` do not. 1 in engines that do not tell it.
 */
export function cssZoom(element: Element): number {
  const { currentCSSZoom = 1 } = element as { currentCSSZoom?: number }; // not supported by every engine
  return currentCSSZoom;
}
