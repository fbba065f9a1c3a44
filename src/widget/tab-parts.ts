// What several tabs need, in one part.
export { tabOwnerOf } from './tab-owner.ts';
export { TabSync } from './tab-sync.ts';
