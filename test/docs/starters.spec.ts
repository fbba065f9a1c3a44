import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { createTokenVerifier } from '../../src/service/auth/verify-token.ts';
import { chatToken } from '../../demo/starters/astro/src/lib/chat-token.ts';

const folder = fileURLToPath(new URL('../../demo/starters/', import.meta.url));
const read = (path: string): string => readFileSync(folder + path, 'utf8');
const names = readdirSync(folder);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const secret = 'a secret of at least thirty-two characters';

test('the page on starters names each of them', () => {
  const page = readFileSync(`${folder}../docs/starters.md`, 'utf8').toLowerCase();
  expect(names).toEqual(['angular', 'astro', 'next', 'nuxt', 'sveltekit', 'vite', 'wordpress']);
  for (const name of names) expect(page, name).toContain(name);
});

test('the starters with a server have the same function for tokens, and the service accepts its tokens', async () => {
  const copies = files.filter(
    (file) => file.endsWith('/chat-token.ts') && /export function/.test(read(file)),
  );
  expect(copies).toHaveLength(4);
  expect(new Set(copies.map(read)).size).toBe(1);
  const settings = { jwtSecret: secret, jwksUrl: undefined, jwtAudience: undefined, jwtIssuer: undefined };
  const verify = createTokenVerifier(settings);
  const [first, again, other] = await Promise.all(
    ['one', 'one', 'two'].map((session) => verify(chatToken(session, secret))),
  );
  expect([...(first?.scopes ?? [])]).toEqual(['run', 'callback', 'notify']);
  expect(again?.subject).toBe(first?.subject);
  expect(other?.subject).not.toBe(first?.subject);
  expect(first?.subject).not.toContain('one');
  expect(() => chatToken('one', '')).toThrow('JWT_SECRET');
});

test('every starter installs the widget in the version of this repository, and nothing of the service', () => {
  const { version } = JSON.parse(readFileSync(`${folder}../../package.json`, 'utf8')) as { version: string };
  for (const file of files.filter((name) => name.endsWith('package.json'))) {
    const { dependencies } = JSON.parse(read(file)) as { dependencies: Record<string, string> };
    expect(dependencies['agent-chat'], file).toBe(`^${version}`);
    expect(Object.keys(dependencies)).not.toContain('agent-chat-service');
  }
});

test('the cookie of every starter that sets one is sent by https only in production', () => {
  const endpoints = files.filter(
    (file) => /\.(ts|php)$/.test(file) && /setcookie|(cookies|jar)\.set\(/i.test(read(file)),
  );
  expect(endpoints).toHaveLength(5);
  // SvelteKit's cookies are secure by default
  for (const file of endpoints.filter((name) => !name.startsWith('sveltekit')))
    expect(read(file), file).toMatch(/\bsecure\b/);
});

test('the page on starters copies .env.example only where there is one', () => {
  const page = readFileSync(`${folder}../docs/starters.md`, 'utf8');
  const without = names.filter((name) => name !== 'wordpress' && !files.includes(`${name}/.env.example`));
  expect(without).toEqual(['angular', 'vite']);
  expect(page.split('cp .env.example')[0]).toMatch(/Vite and Angular have no server/);
});

/** The functions of WordPress that the plugin calls. */
const wordPress = `
  define('ABSPATH', '/'); define('MONTH_IN_SECONDS', 2592000);
  define('AGENT_CHAT_SERVICE', 'https://chat.example.com'); define('AGENT_CHAT_SECRET', '${secret}');
  $hooks = []; $member = in_array('member', $argv);
  function add_action($name, $call) { global $hooks; $hooks[$name] = $call; }
  function add_filter($name, $call) { add_action($name, $call); }
  function add_shortcode($name, $call) { add_action($name, $call); }
  function admin_url($path) { return "https://shop.example/wp-admin/$path"; }
  function wp_enqueue_script($name) { echo $name; }
  function esc_attr($text) { return htmlspecialchars($text, ENT_QUOTES); }
  function is_user_logged_in() { global $member; return $member; }
  function get_current_user_id() { return 7; }
  function wp_generate_uuid4() { return 'a guest'; }
  function is_ssl() { return true; }
  function wp_json_encode($value) { return json_encode($value); }
  require '${folder}wordpress/agent-chat/agent-chat.php';
`;
const constants = `
  define('AGENT_CHAT_AGENT', 'harbour'); define('AGENT_CHAT_SETTINGS', ['heading' => 'Ropes & "more"']);
`;

const inWordPress = (code: string, visitor: 'guest' | 'member'): string => {
  const { error, stdout } = spawnSync('php', ['-r', wordPress + code, '--', visitor], { encoding: 'utf8' });
  test.skip(error !== undefined, 'php is not installed');
  return stdout;
};

test('the plugin for WordPress writes a tag that a page cache may keep: it names a visitor only to members', () => {
  const code = `${constants} echo $hooks['script_loader_tag']('<script src="s">', 'agent-chat');`;
  const guest =
    '<script async crossorigin data-heading="Ropes &amp; &quot;more&quot;" data-agent-id="harbour" ' +
    'data-token-url="https://shop.example/wp-admin/admin-ajax.php?action=agent_chat_token" src="s">';
  expect(inWordPress(code, 'guest')).toBe(guest);
  expect(inWordPress(code, 'member').replace(/ data-visitor="[0-9a-f]{64}"/, '')).toBe(guest);
});

test('a page of WordPress has the chat only if all of its constants are there', () => {
  const code = `$hooks['wp_enqueue_scripts']();`;
  expect(inWordPress(constants + code, 'guest')).toBe('agent-chat');
  expect(inWordPress(code, 'guest')).toBe('');
});

test('the token endpoint of the plugin serves guests and members, and no page of another origin can read it', async () => {
  // WordPress lets pages of any origin read a REST route, also by JSONP
  expect(read('wordpress/agent-chat/agent-chat.php')).not.toContain('register_rest_route');
  const settings = { jwtSecret: secret, jwksUrl: undefined, jwtAudience: undefined, jwtIssuer: undefined };
  const verify = createTokenVerifier(settings);
  const tokenOf = (code: string, visitor: 'guest' | 'member'): string =>
    (JSON.parse(inWordPress(code, visitor)) as { token: string }).token;
  const guest = await verify(tokenOf(`$hooks['wp_ajax_nopriv_agent_chat_token']();`, 'guest'));
  const member = await verify(tokenOf(`$hooks['wp_ajax_agent_chat_token']();`, 'member'));
  expect([...member.scopes]).toEqual(['run', 'callback', 'notify']);
  expect(guest.subject).not.toBe(member.subject);
});
