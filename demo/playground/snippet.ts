import type { EmbeddedChatConfig } from 'agent-chat/protocol';
import { layoutFields } from './fields.ts';

/** What a snippet is written from. */
export interface SnippetInput {
  /** Address of the script. */
  readonly source: string;
  /** Settings that differ from the widget's defaults, by attribute. */
  readonly chosen: ReadonlyMap<string, string>;
  /** The host's endpoint that answers `{"token"}`. */
  readonly tokenUrl: string;
}

/** The script tag that gives exactly the chosen settings. */
export function scriptSnippet({ source, chosen, tokenUrl }: SnippetInput): string {
  const settings = [...chosen, ['token-url', tokenUrl] as const];
  return tag('script', [['async', undefined], ['src', source], ...prefixed(settings)]) + '</script>';
}

/** The script once and the element where the page wants it. */
export function elementSnippet({ source, chosen, tokenUrl }: SnippetInput, extras?: string): string {
  const script =
    tag('script', [
      ['async', undefined],
      ['src', source],
    ]) + '</script>';
  const open = tag('agent-chat', [...chosen, ['token-url', tokenUrl]]);
  const json = extras
    ? `\n  <script type="application/json">\n${indent(forScript(extras))}\n  </script>\n`
    : '';
  return `${script}\n\n${open}${json}</agent-chat>`;
}

/** The body of PUT `/v1/hub/agents/{id}/embedded-chat-config`: every field of the layout, chosen or not. */
export function publishedConfig(value: (attribute: string) => string): EmbeddedChatConfig {
  const field = (api: string) => {
    const found = layoutFields.find((candidate) => candidate.api === api);
    return found ? value(found.attribute) : '';
  };
  return {
    layout: {
      primary_color: field('layout.primary_color'),
      second_color: field('layout.second_color'),
      accent_color: field('layout.accent_color'),
      theme: field('layout.theme'),
      enable_text_streaming: field('layout.enable_text_streaming') === 'true',
      form: {
        type: field('layout.form.type'),
        properties: given({
          container_id: field('layout.form.properties.container_id'),
          width: field('layout.form.properties.width'),
          height: field('layout.form.properties.height'),
        }),
      },
    },
    is_live: field('is_live') === 'true',
  };
}

function given(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function prefixed(settings: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return settings.map(([name, value]) => [`data-${name}`, value]);
}

/** An opening tag; one attribute a line when it gets long. */
function tag(name: string, attributes: readonly (readonly [string, string | undefined])[]): string {
  const parts = attributes.map(([key, value]) => (value === undefined ? key : `${key}="${escaped(value)}"`));
  const line = `<${[name, ...parts].join(' ')}>`;
  return line.length <= 72 ? line : `<${[name, ...parts].join('\n  ')}\n>`;
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** JSON that cannot end the script element it stands in. */
function forScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
