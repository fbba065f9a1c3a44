/** Records every text in shadow roots created after this call: visible text, names and titles. Code is skipped. */
export function collectWords(): Set<string> {
  const texts = new Set<string>();
  const named = [
    ...['aria-label', 'aria-valuetext', 'aria-description', 'aria-roledescription', 'aria-placeholder'],
    ...['title', 'placeholder', 'alt', 'label', 'data-drop'],
  ];
  const apart = 'style, script, svg, pre, code';
  const add = (text: string | null): void => {
    if (text?.trim()) texts.add(text.replace(/\s+/g, ' ').trim());
  };
  const take = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE && !node.parentElement?.closest(apart)) add(node.textContent);
    if (!(node instanceof Element) || node.closest('style, script, svg')) return;
    for (const name of named) add(node.getAttribute(name));
    for (const child of node.childNodes) take(child);
  };
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    new MutationObserver((records) => {
      for (const { type, target, addedNodes, attributeName } of records) {
        if (type === 'attributes' && target instanceof Element) add(target.getAttribute(attributeName ?? ''));
        else if (type === 'characterData') take(target);
        else for (const node of addedNodes) take(node);
      }
    }).observe(root, {
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: named,
      subtree: true,
    });
    return root;
  };
  return texts;
}
