import type { LitElement } from 'lit';
import { ownPixels } from '../../platform/own-pixels.ts';
import { focusMessage } from './message-navigation.ts';

/**
 * Keeps what is in view, and the focus, while earlier turns are rendered above the first one.
 * @returns a function to call when the transcript has rendered them
 */
export function keepPosition(root: ParentNode, scroller: HTMLElement): () => Promise<void> {
  const anchor = root.querySelector('agent-chat-turn');
  const before = anchor?.getBoundingClientRect().top ?? 0;
  const held = root.querySelector('.earlier:focus');
  return async () => {
    // focus moves from the removed button to the last message that was added
    if (held && !held.isConnected) {
      const turns = [...root.querySelectorAll<LitElement>('agent-chat-turn')];
      const added = turns[turns.findIndex((turn) => turn === anchor) - 1];
      await added?.updateComplete;
      const last = [...(added?.shadowRoot?.querySelectorAll<HTMLElement>('.message') ?? [])].at(-1);
      if (last) focusMessage(last, { preventScroll: true });
    }
    // turns render after this update, and their content after that
    for (let frame = 0; anchor && frame < 3; frame += 1) {
      scroller.scrollTop += (anchor.getBoundingClientRect().top - before) * ownPixels(scroller);
      await new Promise(requestAnimationFrame);
    }
  };
}
