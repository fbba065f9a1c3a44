import type { EnginePage } from './engine-page.ts';

/** What a visitor sees of the chat, read from the page in one go. */
export interface Seen {
  readonly isOpen: boolean;
  /** Name of the one button in the composer: Send or Stop. */
  readonly button: string;
  readonly draft: string;
  /** Text of each answer. */
  readonly answers: readonly string[];
  /** Answers that have ended and can be judged. */
  readonly ended: number;
  /** All text in the panel. */
  readonly text: string;
}

/** What is seen of the first chat on a page. */
export function seen(page: EnginePage): Promise<Seen> {
  return page.evaluate(() => {
    const roots = (root: ParentNode): ParentNode[] => [
      root,
      ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : [])),
    ];
    const textOf = (node: Node): string => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
      if (node instanceof Element && node.matches('style, script')) return '';
      const slotted = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
      const inner = (node instanceof Element && node.shadowRoot) || node;
      return (slotted.length > 0 ? slotted : [...inner.childNodes]).map(textOf).join('');
    };
    const shadow = document.querySelector('agent-chat')?.shadowRoot;
    const all = shadow ? roots(shadow) : [];
    const find = (selector: string): Element[] => all.flatMap((root) => [...root.querySelectorAll(selector)]);
    const panel = find('agent-chat-panel')[0];
    const box = find('.panel')[0];
    return {
      isOpen: Boolean(box && getComputedStyle(box).visibility === 'visible' && !box.hasAttribute('inert')),
      button: find('[part=send]')[0]?.getAttribute('aria-label') ?? '',
      draft: (find('textarea[part=input]')[0] as HTMLTextAreaElement | undefined)?.value ?? '',
      answers: find('.answer').map((answer) => textOf(answer).trim()),
      ended: find('agent-chat-turn-actions').length,
      text: panel ? textOf(panel).replace(/\s+/g, ' ').trim() : '',
    };
  }, undefined);
}
