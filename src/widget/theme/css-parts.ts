import { exportedContentParts } from './content-parts.ts';

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
