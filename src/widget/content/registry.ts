import type { ResponseType } from '../../protocol/index.ts';
import { own } from '../../protocol/json.ts';
import type { ContentElement } from './content-element.ts';

/** Class of an element for a content item. */
export type ContentElementClass = new () => ContentElement;

/** How a response type is rendered. */
export interface ContentRow {
  readonly tag: string;
  /** Height in pixels that is reserved while it loads, so that nothing jumps. */
  readonly height: number;
  /** Loads the element's class; called once, and again after a failure. */
  readonly load: () => Promise<ContentElementClass>;
}

const form: ContentRow = { tag: 'agent-chat-form', height: 220, load: async () => (await import('./form/form.ts')).FormElement }; // oxfmt-ignore
const connection: ContentRow = { tag: 'agent-chat-connection', height: 64, load: async () => (await import('./connection.ts')).ConnectionElement }; // oxfmt-ignore
const fallback: ContentRow = { tag: 'agent-chat-fallback', height: 40, load: async () => (await import('./fallback.ts')).FallbackElement }; // oxfmt-ignore

/** A type with an element of its own: every response type except `text`, and four of the widget's own. */
type ItemType =
  | Exclude<ResponseType, 'text'>
  | 'svc_rest'
  | 'svc_connection_status'
  | 'svc_tool_approval'
  | 'svc_page_tool';

/** One row for each type; demo/docs/develop.md lists what else a new type needs. */
export const contentRows: Readonly<Record<ItemType, ContentRow>> = {
  option: { tag: 'agent-chat-option', height: 44, load: async () => (await import('./option.ts')).OptionElement },
  image: { tag: 'agent-chat-image', height: 180, load: async () => (await import('./media/image.ts')).ImageElement },
  video: { tag: 'agent-chat-video', height: 220, load: async () => (await import('./media/video.ts')).VideoElement },
  audio: { tag: 'agent-chat-audio', height: 80, load: async () => (await import('./media/audio.ts')).AudioElement },
  iframe: { tag: 'agent-chat-iframe', height: 240, load: async () => (await import('./media/iframe.ts')).IframeElement },
  date: { tag: 'agent-chat-date', height: 64, load: async () => (await import('./date.ts')).DateElement },
  pause: { tag: 'agent-chat-pause', height: 0, load: async () => (await import('./pause.ts')).PauseElement },
  button: { tag: 'agent-chat-button', height: 36, load: async () => (await import('./button.ts')).ButtonElement },
  card: { tag: 'agent-chat-card', height: 160, load: async () => (await import('./card.ts')).CardElement },
  carousel: { tag: 'agent-chat-carousel', height: 240, load: async () => (await import('./carousel.ts')).CarouselElement },
  grid: { tag: 'agent-chat-grid', height: 120, load: async () => (await import('./grid.ts')).GridElement },
  table: { tag: 'agent-chat-table', height: 160, load: async () => (await import('./table.ts')).TableElement },
  conversational_search: { tag: 'agent-chat-search-answer', height: 120, load: async () => (await import('./search/search-answer.ts')).SearchAnswerElement },
  // the widget's own type for items beyond the first hundreds of a message
  svc_rest: { tag: 'agent-chat-overflow-items', height: 40, load: async () => (await import('./overflow-items.ts')).OverflowItemsElement },
  inline_error: { tag: 'agent-chat-inline-error', height: 44, load: async () => (await import('./inline-error.ts')).InlineErrorElement },
  connect_to_agent: { tag: 'agent-chat-connect-to-agent', height: 120, load: async () => (await import('./connect-to-agent.ts')).ConnectToAgentElement },
  system: { tag: 'agent-chat-system', height: 24, load: async () => (await import('./system.ts')).SystemElement },
  form,
  forms: form,
  // forms with the sub-type `tool_approval`
  svc_tool_approval: { tag: 'agent-chat-decision', height: 260, load: async () => (await import('./decision/decision.ts')).DecisionElement },
  // the call of a function of the page, as `user_defined`
  svc_page_tool: { tag: 'agent-chat-page-tool', height: 180, load: async () => (await import('./decision/page-tool.ts')).PageToolElement },
  form_operation: { tag: 'agent-chat-form-operation', height: 20, load: async () => (await import('./form/form-operation.ts')).FormOperationElement },
  file_upload: { tag: 'agent-chat-file-upload', height: 120, load: async () => (await import('./files/file-upload.ts')).FileUploadElement },
  file_download: { tag: 'agent-chat-file-download', height: 56, load: async () => (await import('./files/file-download.ts')).FileDownloadElement },
  disconnected_apps: connection,
  svc_connection_status: connection,
  // the page's own type, if the page has no renderer for it (`registerRenderer`)
  user_defined: fallback,
}; // oxfmt-ignore

/** The row of a response type; the readable fallback for unknown types. */
export function rowOf(type: string): ContentRow {
  return own<ContentRow>(contentRows, type) ?? fallback;
}
