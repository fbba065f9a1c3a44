import type { EmbeddedChatConfig } from 'agent-chat/protocol';
import { fields, layoutFields } from './fields.ts';

/** What a snippet is written from. */
export interface SnippetInput {
  /** Address of the script. */
  readonly source: string;
  /** Settings that differ from the widget's defaults, by attribute. */
  readonly chosen: ReadonlyMap<string, string>;
  /** The host's endpoint that answers `{"token"}`; absolute, because the snippet is pasted into other pages. */
  readonly tokenUrl: string;
  /** Settings that are no attributes, such as `header` and `starters`, in the API's own shape. */
  readonly extras?: Readonly<Record<string, unknown>>;
}

/**
 * The script tag that gives exactly the chosen settings. A chat in the page gets a container: the chat of a script tag
 * without one stands at the end of the body.
 */
export function scriptSnippet({ source, chosen, tokenUrl }: SnippetInput): string {
  const id = isInPage(chosen) ? (containerOf(chosen) ?? defaultContainer) : undefined;
  const settings = new Map([
    ...chosen,
    ...(id ? [['container-id', id] as const] : []),
    ['token-url', tokenUrl],
  ]);
  return (
    container(id) +
    tag('script', [['async', undefined], ['src', source], ...prefixed([...settings])]) +
    '</script>'
  );
}

/** Id of the container in the script tag when none was chosen. */
export const defaultContainer = 'agent-chat';

/** Whether the chat stands in the page, not above it. */
export function isInPage(chosen: ReadonlyMap<string, string>): boolean {
  return chosen.get('form-type') === 'custom';
}

/** The container chosen for a chat in the page. */
export function containerOf(chosen: ReadonlyMap<string, string>): string | undefined {
  return (isInPage(chosen) && chosen.get('container-id')) || undefined;
}

/** The script once and the element where the page wants it. */
export function elementSnippet(input: SnippetInput): string {
  const script =
    tag('script', [
      ['async', undefined],
      ['src', input.source],
    ]) + '</script>';
  return `${container(containerOf(input.chosen))}${script}\n\n${element(input)}`;
}

/**
 * The script that PUT returned, and the element that adds what the service does not know: the token address, the
 * texts, and how the widget behaves on this page.
 */
export function publishedSnippet(script: string, input: Omit<SnippetInput, 'source'>): string {
  const chosen = new Map([...input.chosen].filter(([name]) => pageSettings.includes(name)));
  return `${container(containerOf(input.chosen))}${script}\n\n${element({ ...input, chosen })}`;
}

/** The attributes that a published script does not carry: the page that uses it sets them. */
export const pageSettings: readonly string[] = fields
  .map(({ attribute }) => attribute)
  .filter(
    (name) => !['agent-id', 'live-config', ...layoutFields.map((field) => field.attribute)].includes(name),
  );

function container(id: string | undefined): string {
  return id ? `${tag('div', [['id', id]])}</div>\n\n` : '';
}

function element({ chosen, tokenUrl, extras = {} }: Omit<SnippetInput, 'source'>): string {
  const open = tag('agent-chat', [...chosen, ['token-url', tokenUrl]]);
  const json = forScript(JSON.stringify(extras, null, 2));
  const inside = json === '{}' ? '' : `\n  <script type="application/json">\n${indent(json)}\n  </script>\n`;
  return `${open}${inside}</agent-chat>`;
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

/** A value as it stands between the quotes of an attribute. */
export function escaped(value: string): string {
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
