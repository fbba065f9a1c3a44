import { html, type TemplateResult } from 'lit';

/**
 * Renders a decorative icon; its button has the accessible name.
 * @param path data of one path in a 24×24 box: from this file, or from `item-icons.ts`
 * @param kind `directional`: mirrored in right-to-left text, as `nextIcon`. `filled`: without a stroke, as `stopIcon`.
 */
export function icon(path: string, kind: '' | 'directional' | 'filled' = ''): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true" class=${kind}><path d=${path}></path></svg>`;
}

// `sharedStyles` sets stroke, no fill, and 18 px. Icons that only content items use are in `item-icons.ts`.
export const newChatIcon: string =
  'M6 5h12a2 2 0 012 2v8a2 2 0 01-2 2h-6l-4 3.5V17H6a2 2 0 01-2-2V7a2 2 0 012-2zM12 8.2v5.6M9.2 11h5.6';
export const threadsIcon: string = 'M4 6.5h16M4 12h16M4 17.5h10';
export const expandIcon: string = 'M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7';
export const collapseIcon: string = 'M20 10h-6V4M4 14h6v6M14 10l6-6M10 14l-6 6';
export const closeIcon: string = 'M6 6l12 12M18 6L6 18';
export const sendIcon: string = 'M12 19V5M6 11l6-6 6 6';
export const stopIcon: string = 'M9 7h6a2 2 0 012 2v6a2 2 0 01-2 2H9a2 2 0 01-2-2V9a2 2 0 012-2z';
export const attachIcon: string =
  'M20 11l-8 8a5 5 0 01-7-7l8-8a3.4 3.4 0 015 5l-8 8a1.8 1.8 0 01-2.6-2.6l7-7';
export const editIcon: string = 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4';
export const nextIcon: string = 'M9 6l6 6-6 6';
export const downIcon: string = 'M12 5v14M6 13l6 6 6-6';
export const copyIcon: string =
  'M11 9h7a2 2 0 012 2v7a2 2 0 01-2 2H11a2 2 0 01-2-2V11a2 2 0 012-2zM5 15V6a2 2 0 012-2h8';
export const doneIcon: string = 'M5 13l5 5L19 7';
export const thumbUpIcon: string = 'M7 11l4-7a2 2 0 012 2v4h5a2 2 0 012 2l-1 6a2 2 0 01-2 2H7zM7 11H4v9h3';
export const thumbDownIcon: string = 'M7 13l4 7a2 2 0 002-2v-4h5a2 2 0 002-2l-1-6a2 2 0 00-2-2H7zM7 13H4V4h3';
export const retryIcon: string = 'M4 11a8 8 0 0114-5l2 2M20 4v4h-4M20 13a8 8 0 01-14 5l-2-2M4 20v-4h4';
export const fileIcon: string = 'M6 3h8l4 4v14H6zM14 3v4h4';
