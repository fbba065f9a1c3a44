import type { ResponseType } from '../../protocol/index.ts';
import type { ContentElement } from './content-element.ts';

/** Class of an element for a content item. */
export type ContentElementClass = new () => ContentElement;

/** How a response type is rendered. */
export interface ContentRow {
  readonly tag: string;
  /** Loads the element's class; called once, and again after a failure. */
  readonly load: () => Promise<ContentElementClass>;
  /** Height in pixels that is reserved while it loads, so that nothing jumps. */
  readonly height: number;
}

const form: ContentRow = {
  tag: 'agent-chat-form',
  load: () => import('./form/form.ts').then((module) => module.FormElement),
  height: 220,
};
const connection: ContentRow = {
  tag: 'agent-chat-connection',
  load: () => import('./connection.ts').then((module) => module.ConnectionElement),
  height: 64,
};
const fallback: ContentRow = {
  tag: 'agent-chat-fallback',
  load: () => import('./fallback.ts').then((module) => module.FallbackElement),
  height: 40,
};

/** A type with an element of its own: every response type except `text`, and four of the widget's own. */
type ItemType =
  | Exclude<ResponseType, 'text'>
  | 'svc_rest'
  | 'svc_connection_status'
  | 'svc_tool_approval'
  | 'svc_page_tool';

/** One row for each type; demo/docs/develop.md lists what else a new type needs. */
export const contentRows: Readonly<Record<ItemType, ContentRow>> = {
  option: {
    tag: 'agent-chat-option',
    load: () => import('./option.ts').then((module) => module.OptionElement),
    height: 44,
  },
  image: {
    tag: 'agent-chat-image',
    load: () => import('./media/image.ts').then((module) => module.ImageElement),
    height: 180,
  },
  video: {
    tag: 'agent-chat-video',
    load: () => import('./media/video.ts').then((module) => module.VideoElement),
    height: 220,
  },
  audio: {
    tag: 'agent-chat-audio',
    load: () => import('./media/audio.ts').then((module) => module.AudioElement),
    height: 80,
  },
  iframe: {
    tag: 'agent-chat-iframe',
    load: () => import('./media/iframe.ts').then((module) => module.IframeElement),
    height: 240,
  },
  date: {
    tag: 'agent-chat-date',
    load: () => import('./date.ts').then((module) => module.DateElement),
    height: 64,
  },
  pause: {
    tag: 'agent-chat-pause',
    load: () => import('./pause.ts').then((module) => module.PauseElement),
    height: 0,
  },
  button: {
    tag: 'agent-chat-button',
    load: () => import('./button.ts').then((module) => module.ButtonElement),
    height: 36,
  },
  card: {
    tag: 'agent-chat-card',
    load: () => import('./card.ts').then((module) => module.CardElement),
    height: 160,
  },
  carousel: {
    tag: 'agent-chat-carousel',
    load: () => import('./carousel.ts').then((module) => module.CarouselElement),
    height: 240,
  },
  grid: {
    tag: 'agent-chat-grid',
    load: () => import('./grid.ts').then((module) => module.GridElement),
    height: 120,
  },
  table: {
    tag: 'agent-chat-table',
    load: () => import('./table.ts').then((module) => module.TableElement),
    height: 160,
  },
  conversational_search: {
    tag: 'agent-chat-search-answer',
    load: () => import('./search/search-answer.ts').then((module) => module.SearchAnswerElement),
    height: 120,
  },
  // the widget's own type for items beyond the first hundreds of a message
  svc_rest: {
    tag: 'agent-chat-rest',
    load: () => import('./overflow-items.ts').then((module) => module.OverflowItemsElement),
    height: 40,
  },
  inline_error: {
    tag: 'agent-chat-inline-error',
    load: () => import('./inline-error.ts').then((module) => module.InlineErrorElement),
    height: 44,
  },
  connect_to_agent: {
    tag: 'agent-chat-connect-to-agent',
    load: () => import('./connect-to-agent.ts').then((module) => module.ConnectToAgentElement),
    height: 120,
  },
  system: {
    tag: 'agent-chat-system',
    load: () => import('./system.ts').then((module) => module.SystemElement),
    height: 24,
  },
  form,
  forms: form,
  // forms with the sub-type `tool_approval`
  svc_tool_approval: {
    tag: 'agent-chat-decision',
    load: () => import('./decision/decision.ts').then((module) => module.DecisionElement),
    height: 260,
  },
  // the call of a function of the page, as `user_defined`
  svc_page_tool: {
    tag: 'agent-chat-page-tool',
    load: () => import('./decision/page-tool.ts').then((module) => module.PageToolElement),
    height: 180,
  },
  form_operation: {
    tag: 'agent-chat-form-operation',
    load: () => import('./form/form-operation.ts').then((module) => module.FormOperationElement),
    height: 20,
  },
  file_upload: {
    tag: 'agent-chat-file-upload',
    load: () => import('./files/file-upload.ts').then((module) => module.FileUploadElement),
    height: 120,
  },
  file_download: {
    tag: 'agent-chat-file-download',
    load: () => import('./files/file-download.ts').then((module) => module.FileDownloadElement),
    height: 56,
  },
  disconnected_apps: connection,
  svc_connection_status: connection,
  // the page's own type, if the page has no renderer for it (`registerRenderer`)
  user_defined: fallback,
};

/** The row of a response type; the readable fallback for unknown types. */
export function rowOf(type: string): ContentRow {
  const rows: Readonly<Record<string, ContentRow>> = contentRows;
  return (Object.hasOwn(rows, type) ? rows[type] : undefined) ?? fallback;
}
