export { contentParts } from './content-parts.ts';
export type { HostRenderContext, HostRenderer, ItemContext } from './content-renderer.ts';
export { slotFor } from './host-rendered.ts';
export { ItemActionEvent, ItemAnswerEvent, ItemUploadEvent } from './item-events.ts';
export { renderItem, renderText } from './render-item.ts';
