import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { ChatFixture, fill, fresh, freshItems, freshTurn, RunService, until } from '../chat-fixture.ts';
import { deepAll, textOf } from './item-fixture.ts';
import { plainTurn, type WireEvent } from '../../tools/wire-events.ts';

// A service with a word of its own, that sends items as other services were seen to.
type Message = Readonly<Record<string, unknown>>;

/** A run with these messages. */
function messages(given: readonly Message[]): WireEvent[] {
  return fresh(
    plainTurn([]).flatMap((event) =>
      event.event === 'message.created'
        ? given.map((message, place) => {
            const id = `m-8000-${place}`;
            const data = { ...event.data, message_id: id, message: { id, role: 'assistant', ...message } };
            return { ...event, data };
          })
        : event,
    ),
  );
}

describe('items and messages of odd shape or number', function () {
  this.timeout(30_000);
  let service: RunService;
  let chat: ChatFixture;
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  async function asked(answer: () => WireEvent[], lang = 'en'): Promise<void> {
    service = new RunService((_run, number) => (number === 1 ? answer() : freshTurn(['Thank you.'])));
    chat = ChatFixture.begin({ 'identifier-prefix': 'acme_', storage: 'none', lang });
    await chat.open();
    chat.say('Go');
  }

  it('a message with only a connection status shows the status', async () => {
    const acme_connection_status = {
      connection_status: 'expired',
      connection_message: 'Sign in to Calendar',
    };
    await asked(() => messages([{ content: [], additional_properties: { acme_connection_status } }]));
    await until(() => chat.texts('agent-chat-connection').join().includes('Sign in to Calendar'));
  });

  it('a message of a thousand items is rendered in steps, up to the last item', async () => {
    const content = Array.from({ length: 1000 }, (_, place) => ({
      id: `i${place}`,
      response_type: 'text',
      text: `Entry ${place}.`,
    }));
    await asked(() => messages([{ content }]));
    await until(() => chat.buttons('Show 100 more').length === 1);
    expect(chat.all('agent-chat-markdown')).to.have.length(400);
    for (let shown = 500; shown <= 1000; shown += 100) {
      chat.button('Show 100 more').click();
      await chat.shows('agent-chat-markdown', shown);
    }
    expect(chat.texts('agent-chat-markdown').at(-1)).to.equal('Entry 999.');
    expect(chat.buttons('Show 100 more')).to.have.length(0);
  });

  it('of a thousand messages in one run, the first and the newest are rendered, the others on request', async () => {
    await asked(() =>
      messages(Array.from({ length: 1000 }, (_, place) => ({ content: `message ${place}` }))),
    );
    await until(() => chat.lastAnswer === 'message 999');
    expect(chat.all('.answer')).to.have.length(201);
    for (const shown of [401, 601, 801, 1000]) {
      chat.button('Show earlier').click();
      await chat.shows('.answer', shown);
    }
    expect(chat.texts('.answer')[500]).to.equal('message 500');
    expect(chat.buttons('Show earlier')).to.have.length(0);
  });

  it('a thousand steps of a run are rendered in batches, up to the last', async () => {
    const step_history = Array.from({ length: 1000 }, (_, place) => ({
      role: 'assistant',
      step_details: [{ type: 'tool_calls', tool_calls: [{ id: `c${place}`, name: `look-${place}` }] }],
    }));
    await asked(() => messages([{ content: 'Found.', step_history }]));
    await chat.shows('agent-chat-steps .toggle');
    chat.find('agent-chat-steps .toggle').click();
    await chat.shows('agent-chat-steps .head', 200);
    for (let shown = 300; shown <= 1000; shown += 100) {
      chat.button('Show 100 more').click();
      await chat.shows('agent-chat-steps .head', shown);
    }
    expect(chat.texts('agent-chat-steps .head').at(-1)).to.contain('look-999');
    expect(chat.buttons('Show 100 more')).to.have.length(0);
  });

  it('buttons with the same id in two cards are separate; items without a type are rendered', async () => {
    const items = [1, 2].map((place) => ({
      body: `Room ${place}`,
      footer: [
        {
          id: 'take',
          response_type: 'button',
          label: `Take ${place}`,
          value: { input: { text: `room ${place}` } },
        },
      ],
    }));
    await asked(() => freshItems([{ response_type: 'carousel', title: 'Rooms', items }]));
    await until(() => chat.buttons('Take 2').length === 1);
    const row = chat.all('[role=group]').find(({ ariaLabel }) => ariaLabel === 'Rooms');
    const [first] = row
      ? deepAll(row, '[role=list], ul, ol').filter(({ ariaLabel }) => ariaLabel === '1 of 2')
      : [];
    expect(textOf(first!)).to.contain('Room 1');
    chat.button('Take 1').click();
    await until(() => chat.button('Take 1').ariaPressed === 'true');
    expect(chat.button('Take 2').ariaPressed).to.equal(null);
    await until(() => service.posted.length === 2);
    expect(service.items.at(-1)).to.include({ text: 'room 1' });
  });

  const submit = (): void => chat.find('[part~=form-submit]').click();
  const type = async (field: HTMLElement, text: string): Promise<void> => {
    field.focus();
    await sendKeys({ type: text });
  };

  for (const [lang, written, number] of [
    ['en', '1,5', undefined],
    ['en', '1,500', 1500],
    ['de', '1,5', 1.5],
    ['de', '1.5', 1.5],
    ['de', '1,234', 1.234],
    ['de', '0.234', 0.234],
    ['en', '1.234', 1.234],
    ['fr', '1.234', 1.234],
  ] as const) {
    it(`${written} typed into a form in ${lang} is ${number ?? 'reported as invalid'}`, async () => {
      const json_schema = { type: 'object', properties: { length: { type: 'number' } } };
      await asked(() => freshItems([{ response_type: 'form', json_schema }]), lang);
      await chat.answered(1);
      await chat.shows('agent-chat-form input');
      await type(chat.find('agent-chat-form input'), written);
      submit();
      if (number === undefined) await until(() => chat.texts('form').join().includes('Enter a number.'));
      else await until(() => service.posted.length === 2);
      expect(service.items.slice(1)).to.deep.equal(
        number === undefined ? [] : [{ ...service.items[1], form_data: { length: number } }],
      );
    });
  }

  it('a form asks about a point that may be a thousands separator, not about a comma', async () => {
    const properties = {
      price: { title: 'Preis', type: 'number' },
      count: { title: 'Zahl', type: 'integer' },
    };
    const json_schema = { type: 'object', properties };
    await asked(() => freshItems([{ response_type: 'form', json_schema }]), 'de');
    await chat.answered(1);
    await chat.shows('agent-chat-form input', 2);
    await type(chat.field('Preis'), '1.234.567');
    await type(chat.field('Zahl'), '1.234');
    submit();
    await until(() => /eine Zahl ein: 1234567 oder 1,234567/.test(chat.texts('form').join()));
    expect(chat.texts('form').join()).to.match(/eine ganze Zahl ein: 1234\s/);
    expect(service.posted).to.have.length(1);
    fill(chat.field('Preis'), '');
    await type(chat.field('Preis'), '1,234');
    fill(chat.field('Zahl'), '1234');
    submit();
    await until(() => service.posted.length === 2);
    expect(service.items[1]).to.deep.include({ form_data: { price: 1.234, count: 1234 } });
  });
});
