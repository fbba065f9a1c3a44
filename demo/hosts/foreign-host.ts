import { readPublishedScript } from './published-script.ts';

// What a customer pastes once stands here as what the address says, so that Publish can open this page with it.
const tag = new URLSearchParams(location.hash.slice(1)).get('script');
const published = tag === null ? undefined : readPublishedScript(tag, new URL(location.href));

const script = document.createElement('script');
script.async = true;
script.src = published?.source ?? '/agent-chat.js';
for (const [name, value] of Object.entries(published?.settings ?? { 'agent-id': 'demo' })) {
  script.setAttribute(`data-${name}`, value);
}
// The one thing a host adds: where its own site gives tokens to its visitors.
script.setAttribute('data-token-url', '/demo/token');
document.body.append(script);

show(
  '#pasted',
  published ? script.outerHTML : 'No published script came with the address, so this is the plain demo.',
);
show('#origins', `This page: ${location.origin}. The chat: ${new URL(script.src).origin}.`);

const dialog = document.querySelector('dialog');
document.querySelector('#open-dialog')?.addEventListener('click', () => dialog?.showModal());

function show(selector: string, text: string): void {
  const element = document.querySelector(selector);
  if (element) element.textContent = text;
}
