import { expect, test } from '@playwright/test';
import { readPageSettings, readPublishedScript } from '../../../demo/hosts/published-script.ts';
import { fields, layoutFields } from '../../../demo/playground/fields.ts';
import { foreignPage } from '../../../demo/playground/foreign-page.ts';
import { frameworkSnippets } from '../../../demo/playground/framework-snippets.ts';
import {
  elementSnippet,
  pageSettings,
  publishedConfig,
  publishedSnippet,
  scriptSnippet,
} from '../../../demo/playground/snippet.ts';
import { embeddedChatConfigSchema } from '../../../src/protocol/index.ts';

const source = 'http://localhost:8787/agent-chat.js';
const tokenUrl = 'http://localhost:8787/demo/token';

test('the script tag contains the chosen settings and nothing else', () => {
  const chosen = new Map([
    ['agent-id', 'demo'],
    ['theme', 'dark'],
  ] as const);
  expect(scriptSnippet({ source, chosen, tokenUrl })).toBe(
    [
      '<script',
      '  async',
      `  src="${source}"`,
      '  crossorigin',
      '  data-agent-id="demo"',
      '  data-theme="dark"',
      `  data-token-url="${tokenUrl}"`,
      '></script>',
    ].join('\n'),
  );
});

test('the snippet of a chat in the page includes its container', () => {
  const chosen = new Map([['form-type', 'custom']]);
  const input = { source, chosen, tokenUrl };
  const style = (selector: string, height = '640px') =>
    `<style>\n  ${selector} {\n    display: block;\n    height: min(${height}, 100dvh);\n  }\n</style>\n\n`;
  const ownContainer = `${style('#agent-chat:empty')}<div id="agent-chat"></div>\n\n<script\n`;
  expect(scriptSnippet(input).startsWith(ownContainer)).toBe(true);
  expect(scriptSnippet(input)).toContain('  data-container-id="agent-chat"');
  // an element stands where it is put
  expect(elementSnippet(input)).not.toContain('container');
  expect(elementSnippet(input)).not.toContain('<div');
  expect(elementSnippet(input).startsWith(`${style('agent-chat:not(:defined)')}<script`)).toBe(true);
  const named = { ...input, chosen: new Map([...chosen, ['container-id', 'help']]) };
  const tag = `<script async src="${source}" crossorigin data-form-type="custom" data-container-id="help"></script>`;
  for (const text of [scriptSnippet(named), elementSnippet(named), publishedSnippet(tag, named)]) {
    expect(text.startsWith(`${style('#help:empty')}<div id="help"></div>\n\n<script`)).toBe(true);
    expect(text).toContain('container-id="help"');
  }
  const ofHeight = (height: string, id = 'help') =>
    scriptSnippet({ ...named, chosen: new Map([...named.chosen, ['height', height], ['container-id', id]]) });
  expect(ofHeight('30em').startsWith(style('#help:empty', '30em'))).toBe(true);
  expect(ofHeight('500').startsWith(style('#help:empty', '500px')), 'a number is in px').toBe(true);
  expect(ofHeight('80%').startsWith('<div id="help">'), 'of a height that the page decides').toBe(true);
  expect(ofHeight('30em', '1 {}</style>')).not.toContain('<style>');
  const floating = { ...input, chosen: new Map([['container-id', 'help']]) };
  expect(scriptSnippet(floating)).not.toContain('<div');
});

test('the CSS of a look comes first, and is left out where there is none', () => {
  const input = { source, chosen: new Map(), tokenUrl, css: 'agent-chat {\n  --agent-chat-size: 14px;\n}' };
  const style = '<style>\n  agent-chat {\n    --agent-chat-size: 14px;\n  }\n</style>\n\n<script';
  expect(scriptSnippet(input).startsWith(style)).toBe(true);
  expect(elementSnippet(input).startsWith(style)).toBe(true);
  expect(publishedSnippet('<script></script>', input).startsWith(style)).toBe(true);
  expect(scriptSnippet({ ...input, css: '' })).not.toContain('<style>');
});

test('values cannot break out of attributes, nor JSON out of its script element', () => {
  const chosen = new Map([['heading', '"><script>alert(1)</script>']]);
  const tag = scriptSnippet({ source, chosen, tokenUrl });
  expect(tag.match(/</g)).toHaveLength(2);
  const element = elementSnippet({ source, chosen, tokenUrl, extras: { welcome: '</script><b>' } });
  expect(element.match(/<\/script>/g)).toHaveLength(2);
  for (const write of Object.values(frameworkSnippets)) {
    expect(write({ source, chosen, tokenUrl, extras: { welcome: '</script><b>' } })).not.toMatch(
      /<script>alert|<\/script><b>|<b>/,
    );
  }
});

test('the JSON is a config of the interface with every field of the layout', () => {
  const values: Record<string, string> = {
    ...Object.fromEntries(layoutFields.map((field) => [field.attribute, field.initial])),
    'container-id': 'help',
    width: '50%',
    height: '480px',
    'enable-text-streaming': 'false',
  };
  const config = publishedConfig((attribute) => values[attribute] ?? '');
  expect(embeddedChatConfigSchema.parse(config)).toEqual(config);
  expect(config).toEqual({
    layout: {
      primary_color: '#1f3a5f',
      second_color: '#dbe7f6',
      accent_color: '#0b62d6',
      theme: 'auto',
      enable_text_streaming: false,
      form: { type: 'float', properties: { container_id: 'help', width: '50%', height: '480px' } },
    },
    is_live: true,
  });
});

test('the element below a published script contains what the script lacks, and nothing else', () => {
  const script = `<script async src="${source}" crossorigin data-agent-id="demo" data-live-config="true"></script>`;
  const chosen = new Map([
    ['agent-id', 'demo'],
    ['theme', 'dark'],
    ['heading', 'Harbour Help'],
    ['live-config', 'true'],
  ]);
  const text = publishedSnippet(script, { chosen, tokenUrl, extras: { starters: [{ title: 'Hello' }] } });
  expect(text.startsWith(`${script}\n`)).toBe(true);
  expect(text.slice(script.length)).toBe(`

<agent-chat
  heading="Harbour Help"
  token-url="${tokenUrl}"
>
  <script type="application/json">
    {
      "starters": [
        {
          "title": "Hello"
        }
      ]
    }
  </script>
</agent-chat>`);
});

test('each framework snippet uses its own syntax for the settings', () => {
  const chosen = new Map([
    ['agent-id', 'demo'],
    ['version', '3'],
    ['enable-text-streaming', 'false'],
    ['heading', 'Ann’s "{shop}"'],
  ]);
  const input = { source, chosen, tokenUrl, extras: { header: { subtitle: 'Soon' } } };
  expect(frameworkSnippets.react(input)).toContain(`    <AgentChat
      baseUrl="http://localhost:8787"
      agentId="demo"
      version={3}
      enableTextStreaming={false}
      heading={"Ann’s \\"{shop}\\""}
      tokenUrl="${tokenUrl}"
      header={{
        subtitle: "Soon"
      }}
    />`);
  // vue-tsc refuses components without types in a TypeScript app
  expect(frameworkSnippets.vue(input)).toContain('<script setup lang="ts">');
  expect(frameworkSnippets.vue(input)).toContain('heading="Ann’s &quot;{shop}&quot;"');
  expect(frameworkSnippets.vue(input)).toContain(':header.prop="header"');
  expect(frameworkSnippets.svelte(input)).toContain('heading={"Ann’s \\"{shop}\\""}');
  expect(frameworkSnippets.svelte(input)).toContain('  {header}\n');
});

test('the page offers every setting once', () => {
  expect(new Set(fields.map((field) => field.attribute)).size).toBe(fields.length);
});

test('the host page uses the other local host name', () => {
  const script = `<script async src="${source}" crossorigin data-agent-id="demo"></script>`;
  const hosted = {
    script,
    settings: { heading: 'Help' },
    extras: { header: { subtitle: 'Soon' } },
    look: { font: 'serif' },
  };
  const page = foreignPage(hosted, new URL('http://localhost:8787/#theme=dark'));
  expect(page.isForeign).toBe(true);
  expect(new URL(page.href).origin).toBe('http://127.0.0.1:8787');
  expect(new URLSearchParams(new URL(page.href).hash.slice(1)).get('script')).toBe(script);
  const handed = new URLSearchParams(new URL(page.href).hash.slice(1)).get('page') ?? '';
  expect(readPageSettings(handed, pageSettings)).toEqual({
    settings: { heading: 'Help' },
    extras: { header: { subtitle: 'Soon' } },
    look: { font: 'serif' },
  });
  expect(foreignPage(hosted, new URL('https://chat.example.com/')).isForeign).toBe(false);
});

test('the host page ignores URLs in its own URL', () => {
  const hostile = {
    settings: { 'base-url': 'https://evil.example', 'token-url': 'x', heading: 1 },
    extras: 7,
    look: { font: 1 },
  };
  for (const text of [JSON.stringify(hostile), 'null', '7', '{', ''])
    expect(readPageSettings(text, pageSettings), text).toEqual({ settings: {}, extras: {}, look: {} });
});

test('the host page uses only a script of the local service', () => {
  const here = new URL('http://127.0.0.1:8787/host.html');
  const tag = `<script async src="${source}" crossorigin data-agent-id="demo" data-accent-color="&quot;&gt;&lt;b"></script>`;
  expect(readPublishedScript(tag, here)).toEqual({
    source,
    settings: { 'agent-id': 'demo', 'accent-color': '"><b' },
  });
  for (const bad of [
    '<script async src="https://evil.example/agent-chat.js"></script>',
    '<script async src="http://localhost:9999/agent-chat.js"></script>',
    '<script async src="http://localhost:8787/other.js"></script>',
    '<script async src="javascript:alert(1)//agent-chat.js"></script>',
    `<script src="${source}"></script><script>alert(1)</script>`,
    `<script src="${source}" data-base-url="https://evil.example"></script>`,
    '',
  ]) {
    expect(readPublishedScript(bad, here), bad).toBeUndefined();
  }
});
