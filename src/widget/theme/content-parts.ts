/** The `::part` names of rendered Markdown. */
export const markdownParts = 'code, link, table, table-scroller, image, media-load, citation-mark';

/**
 * The `::part` names of content items. Components between an item and the page forward them with
 * `exportparts=${contentParts}`.
 */
export const exportedContentParts: string = [
  markdownParts,
  'text, item, item-title, item-description, item-details, item-frame, item-actions, item-button, item-badge',
  'item-notice, item-link, option-list, option, option-select, video, audio, frame, carousel, carousel-slide',
  'grid, grid-cell, sources, source, typing, form, form-title, form-field, form-label, form-control, form-error',
  'form-help, form-submit, form-cancel, answer, file',
].join(', ');
