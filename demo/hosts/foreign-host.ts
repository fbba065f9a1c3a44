import { lookCss } from '../playground/look-fields.ts';
import { pageSettings } from '../playground/snippet.ts';
import { readPageSettings, readPublishedScript } from './published-script.ts';

// The playground passes the snippet to paste in the URL.
const address = new URLSearchParams(location.hash.slice(1));
const tag = address.get('script');
const published = tag === null ? undefined : readPublishedScript(tag, new URL(location.href));

const script = document.createElement('script');
script.async = true;
script.crossOrigin = 'anonymous';
script.src = published?.source ?? '/agent-chat.js';
for (const [name, value] of Object.entries(published?.settings ?? { 'agent-id': 'demo' })) {
  script.setAttribute(`data-${name}`, value);
}

// What the page adds: its texts, the look's CSS, and the token endpoint.
const { settings, extras, look } = readPageSettings(address.get('page') ?? '', pageSettings);
const css = lookCss((name) => look[name] ?? '');
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
const chat = document.createElement('agent-chat');
for (const [name, value] of Object.entries(settings)) chat.setAttribute(name, value);
chat.setAttribute('token-url', new URL('/demo/token', script.src).href);
if (Object.keys(extras).length > 0) {
  const json = document.createElement('script');
  json.type = 'application/json';
  json.textContent = JSON.stringify(extras, null, 2);
  chat.append(json);
}
const stage = document.querySelector('#chat-stage');
const isInPage = script.dataset['formType'] === 'custom';
const containerId = script.dataset['containerId'];
if (isInPage && containerId && !document.getElementById(containerId)) {
  stage?.append(Object.assign(document.createElement('div'), { id: containerId }));
}
(isInPage ? stage : document.body)?.append(chat);
document.body.append(script);

show(
  '#pasted',
  published
    ? `${css ? `<style>\n${css}\n</style>\n\n` : ''}${script.outerHTML}\n\n${chat.outerHTML}`
    : 'No published script came with the address, so this is the plain demo.',
);
show('#origins', `This page: ${location.origin}. The chat: ${new URL(script.src).origin}.`);

const dialog = document.querySelector('dialog');
document.querySelector('#open-dialog')?.addEventListener('click', () => dialog?.showModal());

function show(selector: string, text: string): void {
  const element = document.querySelector(selector);
  if (element) element.textContent = text;
}
