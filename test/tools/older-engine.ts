/**
 * For `addInitScript`: takes from a page what engines of spring 2023 lack, such as Safari 16, the last on some phones
 * that are still in use. What it takes, the widget may use only where it looks for it first.
 */
export function becomeOlderEngine(): void {
  const newer: readonly (readonly [owner: object, ...names: readonly (string | symbol)[]])[] = [
    [AbortSignal, 'any'],
    [Array, 'fromAsync'],
    [ArrayBuffer.prototype, 'transfer', 'resizable'],
    [Document.prototype, 'startViewTransition', 'caretPositionFromPoint', 'onscrollend', 'moveBefore'],
    [Element.prototype, 'checkVisibility', 'moveBefore', 'setHTMLUnsafe', 'ariaNotify'],
    [ElementInternals.prototype, 'states'],
    [
      HTMLElement.prototype,
      'popover',
      'showPopover',
      'hidePopover',
      'togglePopover',
      'onbeforetoggle',
      'ontoggle',
      'onscrollend',
    ],
    [HTMLDialogElement.prototype, 'requestClose', 'closedBy'],
    [HTMLImageElement.prototype, 'fetchPriority'],
    [HTMLLinkElement.prototype, 'fetchPriority'],
    [Map, 'groupBy'],
    [Object, 'groupBy'],
    [Promise, 'withResolvers', 'try'],
    [ReadableStream, 'from'],
    [ReadableStream.prototype, Symbol.asyncIterator],
    [RegExp, 'escape'],
    [
      Set.prototype,
      'union',
      'intersection',
      'difference',
      'symmetricDifference',
      'isSubsetOf',
      'isSupersetOf',
      'isDisjointFrom',
    ],
    [URL, 'canParse', 'parse'],
    [Intl, 'DurationFormat'],
    [
      globalThis,
      'scheduler',
      'requestIdleCallback',
      'cancelIdleCallback',
      'navigation',
      'CloseWatcher',
      'EditContext',
      'Highlight',
      'ViewTransition',
      'Iterator',
      'onscrollend',
    ],
  ];
  for (const [owner, ...names] of newer) for (const name of names) Reflect.deleteProperty(owner, name);
  const iterators: object = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  for (const name of Reflect.ownKeys(iterators)) {
    if (name !== Symbol.iterator) Reflect.deleteProperty(iterators, name);
  }
}
