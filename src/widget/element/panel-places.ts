import type { ChatHost } from '../chat-host.ts';
import { bringToTop } from './top-layer.ts';

/** Chats whose floating panel is open, each at the place where it opened. */
const panels: (ChatHost | undefined)[] = [];
const watched = new WeakSet<ChatHost>();
/** The chat whose panel lies over the others. */
let front: ChatHost | undefined;

/** Places the open panels of several floating chats side by side. A panel that opens comes to the front. */
export function arrangePanels(chats: readonly ChatHost[]): void {
  const isOpen = (chat: ChatHost): boolean =>
    chats.includes(chat) && chat.config.open && chat.formKind === 'float';
  panels.forEach((chat, place) => {
    if (chat && !isOpen(chat)) panels[place] = undefined;
  });
  for (const chat of chats) {
    watch(chat);
    if (!isOpen(chat)) continue;
    const had = panels.indexOf(chat);
    const place = had < 0 ? [...panels, undefined].indexOf(undefined) : had;
    panels[place] = chat;
    // a layer that is drawn anew has no place yet
    chat.renderRoot.querySelector<HTMLElement>('.layer')?.style.setProperty('--_panel-place', `${place}`);
    if (had < 0) bringToFront(chat);
  }
}

/** Where two open panels overlap, the one in use lies over the other. */
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
