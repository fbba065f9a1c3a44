import type { ChatHost } from '../chat-host.ts';
import { bringToTop } from './top-layer.ts';

/** Chats whose floating panel is open; the index is the place in the row. */
const panels: (ChatHost | undefined)[] = [];
const watched = new WeakSet<ChatHost>();
/** The chat whose panel is in front. */
let front: ChatHost | undefined;

/** Places the open panels of floating chats side by side. A newly opened panel comes to the front. */
export function arrangePanels(chats: readonly ChatHost[]): void {
  const isOpen = (chat: ChatHost): boolean =>
    chats.includes(chat) && chat.config.open && chat.formKind === 'float';
  panels.forEach((chat, index) => {
    if (chat && !isOpen(chat)) panels[index] = undefined;
  });
  for (const chat of chats) {
    watch(chat);
    if (!isOpen(chat)) continue;
    const had = panels.indexOf(chat);
    const index = had < 0 ? [...panels, undefined].indexOf(undefined) : had;
    panels[index] = chat;
    // also for layers that were rendered again
    chat.renderRoot.querySelector<HTMLElement>('.layer')?.style.setProperty('--_panel-place', `${index}`);
    if (had < 0) bringToFront(chat);
  }
}

/** Brings a panel to the front when it is used, because open panels may overlap. */
function watch(chat: ChatHost): void {
  if (watched.has(chat)) return;
  watched.add(chat);
  const onUse = (): void => bringToFront(chat);
  chat.addEventListener('pointerdown', onUse);
  chat.addEventListener('focusin', onUse);
}

function bringToFront(chat: ChatHost): void {
  if (front === chat || !panels.includes(chat)) return;
  front = chat;
  if (panels.some((other) => other && other !== chat)) bringToTop(chat);
}
