import { expect, test } from '@playwright/test';
import { readPublishedScript } from '../../demo/hosts/published-script.ts';
import { fields, layoutFields } from '../../demo/playground/fields.ts';
import { foreignPage } from '../../demo/playground/foreign-page.ts';
import { elementSnippet, publishedConfig, scriptSnippet } from '../../demo/playground/snippet.ts';
import { embeddedChatConfigSchema } from '../../src/protocol/index.ts';

const source = 'http://localhost:8787/agent-chat.js';
const tokenUrl = '/demo/token';

test('the script tag says the chosen settings and nothing else', () => {
  const chosen = new Map([
    ['agent-id', 'demo'],
    ['theme', 'dark'],
  ] as const);
  expect(scriptSnippet({ source, chosen, tokenUrl })).toBe(
    [
      '<script',
      '  async',
      `  src="${source}"`,
      '  data-agent-id="demo"',
      '  data-theme="dark"',
      '  data-token-url="/demo/token"',
      '></script>',
    ].join('\n'),
  );
});

test('a value cannot leave its attribute, nor the JSON its script', () => {
  const chosen = new Map([['heading', '"><script>alert(1)</script>']]);
  const tag = scriptSnippet({ source, chosen, tokenUrl });
  expect(tag.match(/</g)).toHaveLength(2);
  const element = elementSnippet({ source, chosen, tokenUrl }, JSON.stringify({ welcome: '</script><b>' }));
  expect(element.match(/<\/script>/g)).toHaveLength(2);
});

test('the JSON is a configuration of the interface with every field of the layout', () => {
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

test('every setting of the page is offered once', () => {
  expect(new Set(fields.map((field) => field.attribute)).size).toBe(fields.length);
});

test('the host page is on the other name of this machine', () => {
  const script = `<script async src="${source}" data-agent-id="demo"></script>`;
  const page = foreignPage(script, new URL('http://localhost:8787/#theme=dark'));
  expect(page.isForeign).toBe(true);
  expect(new URL(page.href).origin).toBe('http://127.0.0.1:8787');
  expect(new URLSearchParams(new URL(page.href).hash.slice(1)).get('script')).toBe(script);
  expect(foreignPage(script, new URL('https://chat.example.com/')).isForeign).toBe(false);
});

test('the host page uses a script of this machine’s own service and no other', () => {
  const here = new URL('http://127.0.0.1:8787/host.html');
  const tag = `<script async src="${source}" data-agent-id="demo" data-accent-color="&quot;&gt;&lt;b"></script>`;
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
    '',
  ]) {
    expect(readPublishedScript(bad, here), bad).toBeUndefined();
  }
});
