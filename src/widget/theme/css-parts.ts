import { exportedContentParts } from './content-parts.ts';

/** Parts of a turn, as the transcript hands them up. */
export const turnParts: string = [
  ...['answer', 'status-line', 'visitor-message', 'steps', 'step', 'notice', 'actions', 'action'],
  exportedContentParts,
].join();
/** Parts of the header, the transcript and the composer, as the panel hands them up. */
export const headerParts = 'header-name, header-status, header-button, avatar, close';
export const transcriptParts: string = `transcript, day-mark, new-below, welcome, starter, ${turnParts}`;
export const composerParts = 'composer, input, send, attach, attachment, mentions';
/** Every part of the panel, as `<agent-chat>` hands them to the page. */
export const exportedPanelParts: string = [
  'panel, header, footer, disclaimer',
  headerParts,
  transcriptParts,
  composerParts,
].join();
