import { fields } from './fields.ts';
import { escaped, type SnippetInput } from './snippet.ts';

/** The same settings as a component of a framework; each needs `npm install agent-chat`. */
export const frameworkSnippets: Readonly<
  Record<'react' | 'vue' | 'svelte', (input: SnippetInput) => string>
> = {
  react(input) {
    const props = [
      ...settingsOf(input).map(([name, value]) => `${camel(name)}=${jsx(name, value)}`),
      ...extrasOf(input).map(([name, value]) => `${camel(name)}={${json(value, '      ')}}`),
    ];
    return [
      "import { AgentChat } from 'agent-chat/react';",
      '',
      'export function Chat() {',
      '  return (',
      '    <AgentChat',
      ...props.map((prop) => `      ${prop}`),
      '    />',
      '  );',
      '}',
    ].join('\n');
  },

  vue(input) {
    const attributes = [
      ...settingsOf(input).map(([name, value]) => `${name}="${escaped(value)}"`),
      ...extrasOf(input).map(([name]) => `:${camel(name)}.prop="${camel(name)}"`),
    ];
    return [
      '<script setup lang="ts">',
      ...moduleLines(input),
      '</script>',
      '',
      '<template>',
      '  <agent-chat',
      ...attributes.map((attribute) => `    ${attribute}`),
      '  ></agent-chat>',
      '</template>',
    ].join('\n');
  },

  svelte(input) {
    const attributes = [
      ...settingsOf(input).map(([name, value]) => `${name}=${text(value)}`),
      ...extrasOf(input).map(([name]) => `{${camel(name)}}`),
    ];
    return [
      '<script>',
      ...moduleLines(input).map((line) => (line === '' ? '' : `  ${line}`)),
      '</script>',
      '',
      '<agent-chat',
      ...attributes.map((attribute) => `  ${attribute}`),
      '></agent-chat>',
    ].join('\n');
  },
};

function settingsOf({ source, chosen, tokenUrl }: SnippetInput): (readonly [string, string])[] {
  return [['base-url', new URL(source).origin], ...chosen, ['token-url', tokenUrl]];
}

function extrasOf({ extras = {} }: SnippetInput): [string, unknown][] {
  return Object.entries(extras);
}

function moduleLines(input: SnippetInput): string[] {
  const constants = extrasOf(input).flatMap(([name, value]) =>
    `const ${camel(name)} = ${json(value)};`.split('\n'),
  );
  return ["import 'agent-chat';", ...(constants.length > 0 ? ['', ...constants] : [])];
}

/** A prop of the React component: switches are booleans, and the version is a number. */
function jsx(name: string, value: string): string {
  const isSwitch = fields.some(({ attribute, control }) => attribute === name && control === 'switch');
  if (isSwitch) return `{${value}}`;
  return name === 'version' && /^\d+$/.test(value) ? `{${value}}` : text(value);
}

/** Escapes a text for an attribute in a template where braces contain code. */
function text(value: string): string {
  return /["'{}<>&\\\n]/.test(value) ? `{${json(value)}}` : `"${value}"`;
}

/** Formats JSON as code that cannot end the surrounding script element. */
function json(value: unknown, indent = ''): string {
  return JSON.stringify(value, null, 2)
    .replaceAll('<', '\\u003c')
    .replaceAll(/^(\s*)"([a-z_]\w*)":/gim, '$1$2:')
    .replaceAll('\n', `\n${indent}`);
}

function camel(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}
