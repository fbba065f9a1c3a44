import { svg, type SVGTemplateResult } from 'lit';

/*
 * Icons are fragments for the inside of an `<svg viewBox="0 0 24 24" aria-hidden="true">`; `sharedStyles` draws them
 * (stroke, no fill, 18 px). Put class `directional` on the svg for those that follow the line of writing: `next`,
 * `back`, `quote`.
 */
export const newChatIcon: SVGTemplateResult = svg`<path d="M4 20h4L19 9l-4-4L4 16z"/>`;
export const expandIcon: SVGTemplateResult = svg`<path d="M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7"/>`;
export const collapseIcon: SVGTemplateResult = svg`<path d="M20 10h-6V4M4 14h6v6M14 10l6-6M10 14l-6 6"/>`;
export const closeIcon: SVGTemplateResult = svg`<path d="M6 6l12 12M18 6L6 18"/>`;
export const sendIcon: SVGTemplateResult = svg`<path d="M12 19V5M6 11l6-6 6 6"/>`;
export const stopIcon: SVGTemplateResult = svg`<rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor" stroke="none"/>`;
export const attachIcon: SVGTemplateResult = svg`<path d="M20 11l-8 8a5 5 0 01-7-7l8-8a3.4 3.4 0 015 5l-8 8a1.8 1.8 0 01-2.6-2.6l7-7"/>`;
export const editIcon: SVGTemplateResult = svg`<path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4"/>`;
export const nextIcon: SVGTemplateResult = svg`<path d="M9 6l6 6-6 6"/>`;
export const downIcon: SVGTemplateResult = svg`<path d="M12 5v14M6 13l6 6 6-6"/>`;
