/**
 * The response types that have a shape of their own. Each has a row in the widget's `registry.ts`.
 * The interface leaves `response_type` open; services send these.
 * @source interface, "Content item", and wire
 */
export const responseTypes = [
  'text',
  'option',
  'image',
  'video',
  'audio',
  'iframe',
  'date',
  'pause',
  'button',
  'card',
  'carousel',
  'grid',
  'table',
  'conversational_search',
  'inline_error',
  'user_defined',
  'connect_to_agent',
  'system',
  'forms',
  'form',
  'form_operation',
  'file_upload',
  'file_download',
  'disconnected_apps',
] as const;

/** Name of a response type that has a shape of its own. */
export type ResponseType = (typeof responseTypes)[number];
