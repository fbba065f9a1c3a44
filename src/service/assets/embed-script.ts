import type { Layout } from '../../protocol/index.ts';

/** The values of the script tag. */
export interface EmbedScriptParts {
  /** URL of the service, without a trailing slash. */
  readonly address: string;
  readonly agentId: string;
  readonly layout: Layout;
  readonly isLive: boolean;
  readonly productPath: string;
  readonly identifierPrefix: string;
}

/**
 * Creates the `<script>` tag to paste, with the whole layout. Every value is escaped, and it contains no
 * token. `live-config` makes pages follow later changes.
 * @assumed the interface does not define the script
 */
export function embedScript(parts: EmbedScriptParts): string {
  const { layout } = parts;
  const properties = layout.form?.properties;
  const data: readonly (readonly [string, unknown])[] = [
    ['base-url', parts.address],
    ['agent-id', parts.agentId],
    ['primary-color', layout.primary_color],
    ['second-color', layout.second_color],
    ['accent-color', layout.accent_color],
    ['theme', layout.theme],
    ['enable-text-streaming', layout.enable_text_streaming],
    ['form-type', layout.form?.type],
    ['container-id', properties?.container_id],
    ['width', properties?.width],
    ['height', properties?.height],
    ['is-live', parts.isLive],
    ['live-config', true],
    ['product-path', parts.productPath === 'hub' ? undefined : parts.productPath],
    ['identifier-prefix', parts.identifierPrefix === 'svc_' ? undefined : parts.identifierPrefix],
  ];
  const attributes = data
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => ` data-${name}="${escapeAttribute(String(value))}"`);
  return `<script async src="${escapeAttribute(`${parts.address}/agent-chat.js`)}" crossorigin${attributes.join('')}></script>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"'`\n\r\t]/g, (character) => entities[character] ?? '').replaceAll('\u0000', '');
}
