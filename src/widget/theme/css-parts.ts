/** The `::part` names of rendered Markdown. */
export const markdownParts = 'code, link, table, table-scroller, image, media-load, citation-mark';

/**
 * The `::part` names of content items. Components between an item and the page forward them with
 * `exportparts=${exportedContentParts}`.
 */
export const exportedContentParts: string = [
  markdownParts,
  'text, item, item-title, item-description, item-details, item-frame, item-actions, item-button, item-badge',
  'item-notice, item-link, option-list, option, option-select, video, audio, frame, carousel, carousel-slide',
  'grid, grid-cell, sources, source, typing, form, form-title, form-field, form-label, form-control, form-error',
  'form-help, form-submit, form-cancel, answer, file',
].join(', ');

/** Parts of a turn, as exported by the transcript. */
export const turnParts: string = [
  ...['answer', 'status-line', 'visitor-message', 'steps', 'step', 'notice', 'actions', 'action'],
  exportedContentParts,
].join();
/** Parts of header, transcript and composer, as exported by the panel. */
export const headerParts = 'header-name, disclosure-mark, header-status, header-button, avatar, close';
export const transcriptParts: string = `transcript, day-mark, new-below, welcome, disclosure, starter, ${turnParts}`;
export const composerParts = 'composer, input, send, attach, attachment, mentions';
/** Every part of the panel, as exported by `<agent-chat>`. */
export const exportedPanelParts: string = [
  'panel, header, footer, disclaimer, arrival',
  headerParts,
  transcriptParts,
  composerParts,
].join();
