import { svg, type SVGTemplateResult } from 'lit';

// Icons of what comes on demand only. How they are drawn: icons.ts
export const copyIcon: SVGTemplateResult = svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15V6a2 2 0 012-2h8"/>`;
export const doneIcon: SVGTemplateResult = svg`<path d="M5 13l5 5L19 7"/>`;
export const thumbUpIcon: SVGTemplateResult = svg`<path d="M7 11l4-7a2 2 0 012 2v4h5a2 2 0 012 2l-1 6a2 2 0 01-2 2H7zM7 11H4v9h3"/>`;
export const thumbDownIcon: SVGTemplateResult = svg`<path d="M7 13l4 7a2 2 0 002-2v-4h5a2 2 0 002-2l-1-6a2 2 0 00-2-2H7zM7 13H4V4h3"/>`;
export const retryIcon: SVGTemplateResult = svg`<path d="M4 11a8 8 0 0114-5l2 2M20 4v4h-4M20 13a8 8 0 01-14 5l-2-2M4 20v-4h4"/>`;
export const backIcon: SVGTemplateResult = svg`<path d="M15 6l-6 6 6 6"/>`;
export const openIcon: SVGTemplateResult = svg`<path d="M6 9l6 6 6-6"/>`;
export const chatIcon: SVGTemplateResult = svg`<path d="M4 5h16v11H9l-5 4z"/>`;
export const menuIcon: SVGTemplateResult = svg`<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3"/>`;
export const addIcon: SVGTemplateResult = svg`<path d="M12 5v14M5 12h14"/>`;
export const removeIcon: SVGTemplateResult = svg`<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13"/>`;
export const externalIcon: SVGTemplateResult = svg`<path d="M14 5h5v5M19 5l-8 8M17 14v5H5V7h5"/>`;
export const warningIcon: SVGTemplateResult = svg`<path d="M12 4l9 16H3zM12 10v4M12 17h.01"/>`;
export const errorIcon: SVGTemplateResult = svg`<circle cx="12" cy="12" r="9"/><path d="M12 7v6M12 16.5h.01"/>`;
export const infoIcon: SVGTemplateResult = svg`<circle cx="12" cy="12" r="9"/><path d="M12 11v6M12 7.5h.01"/>`;
export const offlineIcon: SVGTemplateResult = svg`<path d="M3 3l18 18M5 12a10 10 0 014-2.4M19 12a10 10 0 00-5-2.7M8.5 15.5a5 5 0 017 0M12 19h.01"/>`;
export const fileIcon: SVGTemplateResult = svg`<path d="M6 3h8l4 4v14H6zM14 3v4h4"/>`;
export const downloadIcon: SVGTemplateResult = svg`<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>`;
export const imageIcon: SVGTemplateResult = svg`<rect x="4" y="5" width="16" height="14" rx="2"/><path d="M4 16l5-5 6 6M14 14l2-2 4 4M15 9h.01"/>`;
export const playIcon: SVGTemplateResult = svg`<path d="M8 5l11 7-11 7z"/>`;
export const linkIcon: SVGTemplateResult = svg`<path d="M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1"/>`;
export const personIcon: SVGTemplateResult = svg`<circle cx="12" cy="8" r="4"/><path d="M4 20a8 8 0 0116 0"/>`;
export const calendarIcon: SVGTemplateResult = svg`<rect x="4" y="5" width="16" height="15" rx="2"/><path d="M4 10h16M8 3v4M16 3v4"/>`;
export const quoteIcon: SVGTemplateResult = svg`<path d="M9 7H5v6h4v1a3 3 0 01-3 3M19 7h-4v6h4v1a3 3 0 01-3 3"/>`;
export const planIcon: SVGTemplateResult = svg`<path d="M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01"/>`;
export const thinkIcon: SVGTemplateResult = svg`<path d="M9 18h6M10 21h4M8 14a6 6 0 118 0c-1 1-1 2-1 2H9s0-1-1-2z"/>`;
