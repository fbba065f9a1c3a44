import type { EmbeddedChatConfig } from 'agent-chat/protocol';
import { fields, layoutFields } from './fields.ts';

/** Input of a snippet. */
export interface SnippetInput {
  /** URL of the script. */
  readonly source: string;
  /** Settings that differ from the widget's defaults, by attribute. */
  readonly chosen: ReadonlyMap<string, string>;
  /** The page's endpoint that returns `{"token"}`; absolute, because the snippet is pasted into other pages. */
  readonly tokenUrl: string;
  /** Settings without an attribute, such as `header` and `starters`, in the API's own shape. */
  readonly extras?: Readonly<Record<string, unknown>>;
  /** The look's rules for the page's style sheet. */
  readonly css?: string;
}

/**
 * The script tag for the chosen settings. A chat in place gets a container; without one it would be at the end of
 * the body.
 */
export function scriptSnippet({ source, chosen, tokenUrl, css }: SnippetInput): string {
  const id = isInPage(chosen) ? (containerOf(chosen) ?? defaultContainer) : undefined;
  const settings = new Map([
    ...chosen,
    ...(id ? [['container-id', id] as const] : []),
    ['token-url', tokenUrl],
  ]);
  return (
    styles(css, id && room(`#${id}:empty`, chosen)) +
    container(id) +
    tag('script', [
      ['async', undefined],
      ['src', source],
      ['crossorigin', undefined],
      ...prefixed([...settings]),
    ]) +
    '</script>'
  );
}

/** Default id of the container in the script tag. */
export const defaultContainer = 'agent-chat';

/** Whether the chat is in place. */
export function isInPage(chosen: ReadonlyMap<string, string>): boolean {
  return chosen.get('form-type') === 'custom';
}

/** The chosen container of a chat in place. */
export function containerOf(chosen: ReadonlyMap<string, string>): string | undefined {
  return (isInPage(chosen) && chosen.get('container-id')) || undefined;
}

/** The script, and the element where the page wants it. */
export function elementSnippet(input: SnippetInput): string {
  const script =
    tag('script', [
      ['async', undefined],
      ['src', input.source],
      ['crossorigin', undefined],
    ]) + '</script>';
  return `${stylesOfElement(input)}${container(containerOf(input.chosen))}${script}\n\n${element(input)}`;
}

/**
 * The script that PUT returned, and the element with what the service does not know: the token endpoint, the texts,
 * and the page's own settings.
 */
export function publishedSnippet(script: string, input: Omit<SnippetInput, 'source'>): string {
  const chosen = new Map([...input.chosen].filter(([name]) => pageSettings.includes(name)));
  return `${stylesOfElement(input)}${container(containerOf(input.chosen))}${script}\n\n${element({ ...input, chosen })}`;
}

/** Attributes that a published script does not contain; the page sets them. */
export const pageSettings: readonly string[] = fields
  .map(({ attribute }) => attribute)
  .filter(
    (name) => !['agent-id', 'live-config', ...layoutFields.map((field) => field.attribute)].includes(name),
  );

function styles(...rules: readonly (string | undefined)[]): string {
  const css = rules.filter(Boolean).join('\n');
  return css ? `<style>\n${css.replaceAll(/^/gm, '  ')}\n</style>\n\n` : '';
}

function stylesOfElement({ chosen, css }: Pick<SnippetInput, 'chosen' | 'css'>): string {
  if (!isInPage(chosen)) return styles(css);
  const id = containerOf(chosen);
  return styles(css, room(id ? `#${id}:empty` : 'agent-chat:not(:defined)', chosen));
}

/** The rule that keeps the room of a chat in place until its script is there, so that nothing below moves then. */
function room(selector: string, chosen: ReadonlyMap<string, string>): string | undefined {
  const chosenHeight = chosen.get('height')?.trim() ?? '640px'; // the widget's default
  const height = /[\d.]$/.test(chosenHeight) ? `${chosenHeight}px` : chosenHeight;
  // a share of a height that is not known here; an id that a selector would have to escape
  if (height.endsWith('%') || !/^[#a-z][\w:()-]*$/i.test(selector)) return undefined;
  return `${selector} {\n  display: block;\n  height: min(${height}, 100dvh);\n}`;
}

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
        properties: withoutEmpty({
          container_id: field('layout.form.properties.container_id'),
          width: field('layout.form.properties.width'),
          height: field('layout.form.properties.height'),
        }),
      },
    },
    is_live: field('is_live') === 'true',
  };
}

function withoutEmpty(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function prefixed(settings: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return settings.map(([name, value]) => [`data-${name}`, value]);
}

/** Formats an opening tag, with one attribute per line if it is long. */
function tag(name: string, attributes: readonly (readonly [string, string | undefined])[]): string {
  const parts = attributes.map(([key, value]) => (value === undefined ? key : `${key}="${escaped(value)}"`));
  const line = `<${[name, ...parts].join(' ')}>`;
  return line.length <= 72 ? line : `<${[name, ...parts].join('\n  ')}\n>`;
}

/** Escapes a value for a quoted attribute. */
export function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** JSON that cannot end the surrounding script element. */
function forScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
