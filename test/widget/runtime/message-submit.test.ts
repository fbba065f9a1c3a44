import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { MessageSubmitEvent } from '../../../src/widget/events/chat-events.ts';
import { ChatFixture, fill, freshItems, freshTurn, RunService, until } from '../chat-fixture.ts';

// What the page says of a message before it is sent. The agent repeats what it is told, or shows a form.
const form = {
  response_type: 'form',
  id: 'arrival',
  json_schema: { type: 'object', properties: { vessel: { type: 'string' } } },
  ui_schema: { 'ui:cancelButtonOptions': { showCancel: true } },
};

const option = {
  response_type: 'option',
  id: 'pier',
  title: 'Which pier?',
  options: ['A', 'B'].map((label) => ({ label, value: { input: { text: label } } })),
};

describe('messages that the page changes', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  let onSubmit: (event: MessageSubmitEvent, item: { text?: string; response_type?: string }) => void;
  beforeEach(() => {
    onSubmit = () => undefined;
    service = new RunService(({ message }) => {
      const text = message.content[0]?.text ?? 'Thank you.';
      if (text === '/option') return freshItems([option]);
      return text === '/form' ? freshItems([form]) : freshTurn([text]);
    });
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  async function visit(json?: unknown): Promise<void> {
    chat = ChatFixture.begin({}, json);
    chat.host.addEventListener('agent-chat-message-submit', (event) => {
      const [item] = event.message.content as { text?: string; response_type?: string }[]; // as the widget made it
      onSubmit(event, item ?? {});
    });
    await chat.open();
  }

  it('settings in the page’s JSON reach the agent, field by field', async () => {
    const settings = {
      llm_params: {
        temperature: 0.2,
        length_penalty: { decay_factor: 1.5 },
        return_options: { input_tokens: true },
      },
      guardrails: { pii: { input: { enabled: false } } },
      context: { page: 'berths' },
      context_variables: { boat: 'Marigold' },
      additional_parameters: { note: 'kept' },
      environment_id: 'live',
      version: 3,
      message: {
        assistant_id: '123e4567-e89b-12d3-a456-426614174005',
        context: { values: [{ tide: 'low' }] },
        additional_properties: { svc_message: { origin: 'shop' }, tool_name: 'none' },
      },
    };
    await visit(settings);
    chat.say('Hello');
    await until(() => service.posted.length === 1);
    const { message, agent_id, ...rest } = service.posted[0]!;
    const { message: defaults, ...wanted } = settings;
    expect(agent_id).to.equal('a');
    expect(rest).to.deep.equal(wanted);
    const { client_message_id: _, ...properties } = message['additional_properties'] as Record<
      string,
      unknown
    >;
    expect({ ...message, additional_properties: properties }).to.deep.include({ ...defaults, role: 'user' });
    const [item] = message.content;
    expect([item?.['response_type'], item?.text]).to.deep.equal(['text', 'Hello']);
  });

  it('a page can change, cancel or delay a message', async () => {
    await visit();
    onSubmit = (event, item) => {
      if (item.text === 'secret') event.preventDefault();
      if (item.text === 'later')
        event.waitUntil(
          Promise.resolve().then(() => {
            item.text = 'now';
          }),
        );
    };
    chat.say('secret');
    // nothing that was written is lost
    await until(() => chat.composer.value === 'secret');
    chat.say('later');
    await until(() => chat.lastAnswer === 'now');
    expect(service.posted).to.have.length(1);
  });

  it('fields that a page removes stay removed, also defaults and on retry', async () => {
    const defaults = {
      context: { values: ['secret'] },
      additional_properties: { tenant: 'x', plan: 'y' },
      message_state: { plan: 'y' },
    };
    await visit({ message: defaults });
    let seen: unknown;
    onSubmit = ({ message }, item) => {
      seen = structuredClone([message.context, message.additional_properties, message.message_state]);
      if (item.text === 'as it is') return;
      delete message.context;
      delete message.message_state;
      message.additional_properties = { plan: 'z' };
    };
    const told = (place: number): unknown => {
      const { context, additional_properties, message_state } = service.posted[place]!.message;
      const { client_message_id: _, ...others } = additional_properties as Record<string, unknown>;
      return { context, additional_properties: others, message_state };
    };
    const removed = { context: undefined, additional_properties: { plan: 'z' }, message_state: undefined };
    chat.say('Hello');
    await chat.answered(1);
    chat.button('Answer again').click();
    await until(() => service.posted.length === 2);
    expect([told(0), told(1)]).to.deep.equal([removed, removed]);
    await chat.answered(1);
    chat.say('as it is');
    await until(() => service.posted.length === 3);
    expect(told(2)).to.deep.equal(defaults);
    // what an answer says itself lies over the defaults, and takes nothing of them away
    await chat.answered(2);
    chat.say('/form');
    await chat.shows('agent-chat-form [part~=form-cancel]');
    await chat.answered(3);
    chat.find('agent-chat-form [part~=form-cancel]').click();
    await until(() => service.posted.length === 5);
    const display_properties = { form_operation: 'cancel' };
    const { context, additional_properties: properties, message_state: state } = defaults;
    expect(seen).to.deep.equal([context, { ...properties, display_properties }, state]);
    expect(told(4)).to.deep.equal({
      ...removed,
      additional_properties: { plan: 'z', display_properties },
    });
  });

  it('a delayed message is sent before the next one, and returns when the page cancels it', async () => {
    await visit();
    let letGo = (): void => undefined;
    let refuse = (): void => undefined;
    onSubmit = (event, item) => {
      if (item.text === 'slow') event.waitUntil(new Promise<void>((resolve) => (letGo = resolve)));
      if (item.text === 'refused')
        event.waitUntil(new Promise((_resolve, reject) => (refuse = () => reject(new Error('no')))));
    };
    chat.say('slow');
    chat.say('quick');
    letGo();
    await until(() => chat.lastAnswer === 'quick');
    expect(service.items.map(({ text }) => text)).to.deep.equal(['slow', 'quick']);
    chat.say('refused');
    chat.write('written meanwhile');
    refuse();
    await until(() => chat.composer.value === 'refused\n\nwritten meanwhile');
    expect(service.posted).to.have.length(2);
  });

  it('the page also sees answers to questions before they are sent', async () => {
    await visit();
    let seen = 0;
    onSubmit = (event, item) => {
      if (item.response_type !== 'form_operation') return;
      seen += 1;
      if (seen === 1) event.preventDefault();
      else Object.assign(event.message, { context: { consent: true } });
    };
    chat.say('/form');
    await chat.answered(1);
    await chat.shows('agent-chat-form [part~=form-cancel]');
    const cancel = (): void => chat.find('agent-chat-form [part~=form-cancel]').click();
    cancel();
    await until(() => seen === 1);
    cancel();
    await until(() => service.posted.length === 2);
    expect(service.posted[1]?.message['context']).to.deep.equal({ consent: true });
  });

  const said = (): string[] => chat.texts('agent-chat-visitor-message');

  it('a delayed message is shown as waiting, and can be cancelled', async () => {
    await visit();
    let letGo = (): void => undefined;
    onSubmit = (event) => event.waitUntil(new Promise<void>((resolve) => (letGo = resolve)));
    chat.say('Looked at by the page first');
    await until(() => said().length === 1);
    expect(said()[0]).to.include('Looked at by the page first').and.to.include('Waiting to be sent');
    letGo();
    await until(() => chat.lastAnswer === 'Looked at by the page first');
    expect(said()).to.have.length(1);
    expect(said()[0]).not.to.include('Waiting');
    chat.say('Not that');
    await until(() => said().length === 2);
    chat.buttons('Remove').at(-1)?.click();
    await until(() => said().length === 1);
    letGo();
    await until(() => chat.composer.value === 'Not that');
    expect(service.posted).to.have.length(1);
  });

  for (const [way, takeBack] of [
    ['was cancelled', (): void => chat.buttons('Remove').at(-1)?.click()],
    ['was left with its conversation', (): unknown => chat.host.newThread()],
  ] as const)
    it(`a message that the page never decides on and that ${way} holds up no other`, async () => {
      await visit();
      onSubmit = (event, item) => {
        if (item.text === 'stuck') event.waitUntil(new Promise(() => undefined));
      };
      chat.say('stuck');
      await until(() => said().length === 1);
      takeBack();
      await until(() => chat.composer.value === 'stuck');
      chat.say('next');
      await until(() => chat.lastAnswer === 'next');
      expect(service.posted).to.have.length(1);
    });

  it('a delayed form is shown as waiting, is sent once, and can be cancelled', async () => {
    await visit();
    let letGo = (): void => undefined;
    onSubmit = (event, item) => {
      if (item.response_type === 'form_operation')
        event.waitUntil(new Promise<void>((resolve) => (letGo = resolve)));
    };
    chat.say('/form');
    await chat.answered(1);
    const send = 'agent-chat-form [part~=form-submit]';
    await chat.shows(send);
    fill(chat.find('agent-chat-form input'), 'Marigold');
    chat.find(send).click();
    await until(() => said()[1]?.includes('Waiting to be sent'));
    expect(chat.all(send), 'it cannot be sent twice').to.have.length(0);
    chat.buttons('Remove').at(-1)?.click();
    await until(() => said().length === 1);
    letGo();
    await chat.shows(send);
    expect(chat.find<HTMLInputElement>('agent-chat-form input').value).to.equal('Marigold');
    chat.find(send).click();
    await until(() => said()[1]?.includes('Waiting to be sent'));
    expect(service.posted).to.have.length(1);
    letGo();
    await until(() => service.posted.length === 2);
    await until(() => !said()[1]?.includes('Waiting'));
    expect(service.posted[1]?.message.content[0]).to.deep.include({ form_data: { vessel: 'Marigold' } });
    expect(chat.all(send)).to.have.length(0);
  });

  for (const pause of [0, 100])
    it(`an option that is pressed twice, ${pause} ms apart, is one answer while the page delays it`, async () => {
      await visit();
      let letGo = (): void => undefined;
      let seen = 0;
      onSubmit = (event, item) => {
        if (item.text === '/option') return;
        seen += 1;
        event.waitUntil(new Promise<void>((resolve) => (letGo = resolve)));
      };
      chat.say('/option');
      await chat.answered(1);
      await chat.shows('agent-chat-option [part=option]', 2);
      const [first] = chat.all('agent-chat-option [part=option]');
      const draw = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, pause));
      first?.click();
      await draw();
      first?.click();
      await draw();
      await until(() => said().length === 2);
      letGo();
      await until(() => service.posted.length === 2);
      await chat.answered(2);
      expect([seen, service.posted.length]).to.deep.equal([1, 2]);
    });

  it('the page gets edits and regenerations, and can change or cancel them', async () => {
    await visit();
    const told: unknown[] = [];
    onSubmit = (event, item) => {
      const { additional_properties } = event.message as { additional_properties?: Record<string, unknown> };
      told.push([item.text, additional_properties?.['client_message_id']]);
      if (item.text === 'A secret') event.preventDefault();
      item.text = item.text?.replace('4111', '****') ?? '';
    };
    chat.say('First words');
    await chat.answered(1);
    const editor = 'agent-chat-message-editor textarea';
    const edit = async (text: string): Promise<void> => {
      chat.button('Edit').click();
      await chat.shows(editor);
      fill(chat.find(editor), text);
      chat.find(editor).focus();
      await sendKeys({ press: 'Enter' });
    };
    await edit('My card is 4111');
    await until(() => chat.lastAnswer === 'My card is ****');
    await chat.answered(1);
    await edit('A secret');
    await until(() => told.length === 3);
    expect(chat.find<HTMLTextAreaElement>(editor).value).to.equal('A secret');
    await sendKeys({ press: 'Escape' });
    await chat.shows(editor, 0);
    expect(said()[0]).to.include('My card is ****');
    chat.button('Answer again').click();
    await until(() => service.posted.length === 3);
    expect(service.items.map(({ text }) => text)).to.deep.equal([
      'First words',
      'My card is ****',
      'My card is ****',
    ]);
    expect(told).to.deep.equal([
      ['First words', undefined],
      ['My card is 4111', undefined],
      ['A secret', undefined],
      ['My card is ****', undefined],
    ]);
  });
});
