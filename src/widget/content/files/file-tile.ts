import { html } from 'lit';
import { fileIcon, icon } from '../../theme/icons.ts';
import { fileType } from './file-facts.ts';

/** Bidirectional control characters: in a file name they could make a program look like a picture. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/** A file's name, without characters that could disguise its type. */
export function safeFileName(name: string): string {
  return name.replace(bidiControls, '');
}

/** The square that begins a file's tile: a picture's thumbnail, else the type that the name says. */
export function renderFileType(name: string, thumbnail?: unknown): unknown {
  return html`<span class="type" aria-hidden="true"
    >${thumbnail ?? (fileType(name) || icon(fileIcon))}</span
  >`;
}
