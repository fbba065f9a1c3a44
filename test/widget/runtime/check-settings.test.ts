import { aTimeout, expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { ChatHost } from '../../../src/widget/chat-host.ts';
import type { Config } from '../../../src/widget/config/config-table.ts';
import type { DiagnosticEvent } from '../../../src/widget/events/element-events.ts';
import { readOption } from '../../../src/widget/config/read-option.ts';
import { checkSettings } from '../../../src/widget/runtime/check-settings.ts';

/** What the page has set. */
interface Page {
  readonly json?: Readonly<Record<string, unknown>>;
  readonly avatar?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly config?: Partial<Config>;
}

/** Messages about the element, and about script tags of the page: at least so many, and those shortly after. */
async function messagesFor(
  element: Element,
  count: number,
  { json = {}, avatar = '', options = {}, config = {} }: Page = {},
): Promise<readonly string[]> {
  const messages: string[] = [];
  element.addEventListener('agent-chat-diagnostic', (event) => {
    event.preventDefault();
    messages.push((event as DiagnosticEvent).message); // its type
  });
  const host = Object.assign(element, {
    jsonConfig: json,
    config: { baseUrl: 'https://chat.example', ...config },
    option: (name: string) => options[name] ?? (name === 'header' ? { avatar } : undefined),
  });
  checkSettings(host as unknown as ChatHost); // all that it reads
  await waitUntil(() => messages.length >= count, 'the messages came', { timeout: 5000 });
  await aTimeout(50);
  return messages;
}

it('names the setting that a misspelt attribute resembles', async () => {
  const element = await fixture(
    html`<div agentid="demo" acent-color="red" token_url="/token" storag="local" form-tipe="custom"></div>`,
  );
  expect(await messagesFor(element, 5)).to.have.members([
    'There is no attribute agentid: use agent-id.',
    'There is no attribute acent-color: use accent-color.',
    'There is no attribute token_url: use token-url.',
    'There is no attribute storag: use storage.',
    'There is no attribute form-tipe: use form-type.',
  ]);
});

it('names the attribute of an element that is written as on a script tag', async () => {
  const element = await fixture(
    html`<div data-agent-id="demo" data-open data-theme="dark" data-token="1"></div>`,
  );
  expect(await messagesFor(element, 1)).to.deep.equal(['There is no attribute data-agent-id: use agent-id.']);
});

it('names the field that one of the JSON resembles', async () => {
  const element = await fixture(html`<div></div>`);
  const json = {
    'primary-color': 'red',
    layout: { accentColor: 'red', theme: 'dark', form: { type: 'float', properties: { hight: '400px' } } },
    starter: [],
    strings: { 'composer.placeholder': 'Ask' },
    notes_of_the_page: {},
  };
  expect(await messagesFor(element, 4, { json })).to.have.members([
    'There is no field primary-color in the JSON: use layout.primary_color.',
    'There is no field layout.accentColor in the JSON: use layout.accent_color.',
    'There is no field layout.form.properties.hight in the JSON: use layout.form.properties.height.',
    'There is no field starter in the JSON: use starters.',
  ]);
});

it('says where an option that has no attribute is set', async () => {
  const element = await fixture(html`<div starters="[]" feedback-reasons="" layout="{}"></div>`);
  const script = document.createElement('script');
  script.type = 'text/plain'; // never loads
  script.src = '/agent-chat.js';
  script.dataset['header'] = '{}';
  script.dataset['tokenProvider'] = 'getToken';
  document.head.append(script);
  try {
    expect(await messagesFor(element, 5)).to.have.members([
      'There is no attribute starters: use the property starters of <agent-chat>, or starters in the JSON inside it.',
      'There is no attribute feedback-reasons: use the property feedbackReasons of <agent-chat>, or feedback_reasons in the JSON inside it.',
      'There is no attribute layout: use the property layout of <agent-chat>, or layout in the JSON inside it.',
      'There is no attribute data-header: use the property header of <agent-chat>, or header in the JSON inside it.',
      'There is no attribute data-token-provider: use the property tokenProvider of <agent-chat>.',
    ]);
  } finally {
    script.remove();
  }
});

it('says what the JSON allows where it needs an object', async () => {
  const element = await fixture(html`<div></div>`);
  expect(
    await messagesFor(element, 1, { json: { layout: { theme: 'dark', form: 'custom' } } }),
  ).to.deep.equal(['layout.form cannot be "custom"; allowed: an object with type, properties.']);
  expect(await messagesFor(element, 0, { json: { layout: { form: null } } })).to.deep.equal([]);
});

it('says what an option allows when a part of it is ignored', async () => {
  const element = await fixture(html`<div></div>`);
  const options = {
    header: 'Hello',
    starters: ['Hi', { title: 'Hello' }],
    strings: { 'composer.placeholder': null, 'composer.send': { other: 'Send' } },
    llmParams: { temperature: 1 },
  };
  expect((await messagesFor(element, 4, { options })).slice(-4)).to.have.members([
    'Ignored because of their type or value: header.',
    'Allowed for header: an object { avatar, subtitle, disclaimer } of texts.',
    'Ignored because of their type or value: starters[0].',
    'Allowed for starters: a list of { title, description, prompt, icon }, all texts; title is required.',
  ]);
});

it('says what an option allows that is set later, once', async () => {
  const element = await fixture(html`<div></div>`);
  const options: Record<string, unknown> = {};
  await messagesFor(element, 0, { options });
  const messages: string[] = [];
  element.addEventListener('agent-chat-diagnostic', (event) =>
    messages.push((event as DiagnosticEvent).message),
  );
  options['mentionables'] = [{ id: 7, name: 'Ada' }];
  for (let times = 0; times < 2; times += 1) readOption(element as unknown as ChatHost, 'mentionables');
  expect(messages).to.have.members([
    'Ignored because of their type or value: mentionables[0].id, mentionables[0].',
    'Allowed for mentionables: a list of { id, name, type, description }, all texts; id, a UUID, and name are required.',
  ]);
});

it('says that a container needs the form type custom', async () => {
  const element = await fixture(html`<div></div>`);
  expect(await messagesFor(element, 1, { config: { containerId: 'help', formType: 'float' } })).to.deep.equal(
    ['container-id has no effect without form-type="custom".'],
  );
  const inPlace = { containerId: 'help', formType: 'custom' } as const;
  expect(await messagesFor(element, 0, { config: inPlace })).to.deep.equal([]);
});

it('says why an avatar is not shown', async () => {
  const told = (avatar: string): Promise<readonly string[]> =>
    fixture(html`<div></div>`).then((element) => messagesFor(element, 0, { avatar }));
  for (const avatar of ['/a.png', 'https://chat.example/a.png', `${location.origin}/a.png`])
    expect(await told(avatar)).to.deep.equal([]);
  expect(await told('https://elsewhere.example/a.png')).to.deep.equal([
    'header.avatar is not shown: https://elsewhere.example/a.png is not from the page, the service or allowedOrigins.images.',
  ]);
});

it('says nothing about settings, attributes of every element, or those of frameworks', async () => {
  const element = await fixture(
    html`<div
      id="chat"
      class="chat"
      style="color: red"
      title="Chat"
      role="region"
      slot="chat"
      part="chat"
      agent-id="demo"
      lang="de"
      data-test="1"
      data-turbo-permanent
      data-v-7ba5bd90
      aria-label="Chat"
      _ngcontent-abc-c1
      v-cloak
      x-data="{}"
    ></div>`,
  );
  expect(await messagesFor(element, 0)).to.deep.equal([]);
});

it('reads the script tag too', async () => {
  const element = await fixture(html`<div></div>`);
  const script = document.createElement('script');
  script.type = 'text/plain'; // never loads
  script.src = '/agent-chat.js';
  script.dataset['accentcolour'] = 'red';
  script.dataset['agentId'] = 'demo';
  document.head.append(script);
  try {
    expect(await messagesFor(element, 1)).to.deep.equal([
      'There is no attribute data-accentcolour: use data-accent-color.',
    ]);
  } finally {
    script.remove();
  }
});
