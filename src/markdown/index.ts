export type * from './nodes.ts';
export { loadEntities, needsEntities } from './entities.ts';
export { extensions, needsFormulas } from './extensions.ts';
export { parseDocument } from './markdown-stream.ts';
export { MarkdownStream } from './markdown-stream.ts';
export type { UpdateOptions } from './markdown-stream.ts';
