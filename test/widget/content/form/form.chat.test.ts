import { expect } from '@open-wc/testing';
import {
  ChatFixture,
  fill,
  focusedElement,
  freshItems,
  fresh,
  freshTurn,
  RunService,
  streamOf,
  until,
  visibleRatio,
} from '../../chat-fixture.ts';
import { textOf } from '../../content/item-fixture.ts';
import { emulateWindow, endEmulation } from '../../emulation.ts';

// Forms, options and cards in a whole chat.
const arrival = {
  response_type: 'form',
  id: 'arrival',
  json_schema: {
    type: 'object',
    required: ['vessel'],
    properties: { vessel: { type: 'string', title: 'Name of the boat' }, nights: { type: 'integer' } },
  },
};
const longForm = {
  response_type: 'form',
  id: 'long',
  json_schema: {
    type: 'object',
    required: ['field1'],
    properties: Object.fromEntries(
      Array.from({ length: 16 }, (_, at) => [`field${at + 1}`, { type: 'string', title: `Field ${at + 1}` }]),
    ),
  },
};
const options = [
  { label: 'Pilot', value: 'A pilot' },
  { label: 'Nobody', value: 'Nobody, thanks' },
];

describe('questions in a chat', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(async () => {
    await emulateWindow(1280, 720);
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  it('sent by callback to a run that waits, a form is followed by a sign of work until the run goes on', async () => {
    const ids = {
      run_id: '5d1f3c1e-0000-4000-8000-00000000000a',
      thread_id: '5d1f3c1e-0000-4000-8000-00000000000b',
    };
    const message = { role: 'assistant', content: [arrival] };
    const events = fresh([
      { id: '1-0', event: 'run.started', data: ids },
      { id: '1-1', event: 'flow.slot.listen', data: { ...ids, slot: 'arrival', message } },
      { id: '1-2', event: 'run.completed', data: ids },
    ]);
    let goOn: () => void = () => undefined;
    const endOfRun = new Promise<void>((resolve) => (goOn = resolve));
    service = new RunService(() => streamOf(events, { endOfRun }));
    service.other = ({ method }) => (method === 'POST' ? new Response('{}') : undefined);
    chat = ChatFixture.begin({ 'form-submit': 'callback' });
    await chat.open();
    chat.say('Ask me');
    await chat.items(1);
    await chat.shows('[part~=status-line]', 0);
    fill(chat.find('agent-chat-form input'), 'Marigold');
    chat.button('Submit').click();
    await until(() => chat.host.conversation?.runs.at(-1)?.status === 'completed'); // the form was delivered
    await until(() => chat.texts('[part~=status-line]').join() === 'Working on it…');
    goOn();
    await chat.shows('[part~=status-line]', 0);
    expect(service.posted).to.have.length(1);
  });

  /** A chat whose first answer has these items, and whose later ones are plain. */
  async function asked(...items: Record<string, unknown>[]): Promise<void> {
    service = new RunService((_run, number) => (number === 1 ? freshItems(items) : freshTurn(['Noted.'])));
    chat = ChatFixture.begin();
    await chat.open();
    chat.say('Ask me');
    await chat.answered(1);
    await chat.items(items.length);
    await chat.still();
  }

  const submit = (): HTMLElement => chat.find('[part~=form-submit]');
  const isOpen = (element: Element): boolean => element.ariaDisabled !== 'true';
  const controls =
    'agent-chat-form input, agent-chat-form select, agent-chat-form textarea, agent-chat-form button';

  it('a form higher than the panel opens at its first question, and its end can be scrolled to', async () => {
    await asked(longForm);
    await until(async () => (await visibleRatio(chat.field('Field 1'))) > 0.99);
    const scroller = chat.find('.scroller');
    expect(chat.field('Field 1').getBoundingClientRect().y).to.be.above(scroller.getBoundingClientRect().y);
    expect(await visibleRatio(submit())).to.equal(0);
    expect(chat.buttons('New below')).to.have.length(0);
    scroller.scrollTo(0, scroller.scrollHeight);
    await until(async () => (await visibleRatio(submit())) > 0.99);
    // errors make the form higher, and bring the first one into view
    submit().click();
    await until(async () => (await visibleRatio(chat.find('[part~=form-error]'))) > 0.99);
  });

  it('a chosen option is sent once and stays selected', async () => {
    await asked({ response_type: 'option', id: 'o', title: 'Do you need anybody?', options });
    await until(() => isOpen(chat.button('Pilot')));
    chat.button('Pilot').click();
    await until(() => chat.button('Pilot').ariaPressed === 'true');
    chat.button('Nobody').click();
    await chat.answered(2);
    expect(chat.turns).to.have.length(2);
    expect(service.posted).to.have.length(2);
    expect(service.items[1]?.text).to.equal('A pilot');
  });

  it('a form that was skipped is readable, closed, and says why', async () => {
    await asked(arrival);
    fill(chat.field('Name of the boat'), 'Albatros');
    chat.say('What is the length over all?');
    await until(() => service.posted.length === 2);
    await until(() =>
      chat.texts('agent-chat-form').join().includes('Closed: the conversation has moved on.'),
    );
    expect(chat.texts('agent-chat-form').join()).to.contain('Albatros');
    expect(chat.all(controls)).to.have.length(0);
  });

  it('the question of a server that waits no longer is closed, with what was typed, and the run goes on', async () => {
    const ids = {
      run_id: '5d1f3c1e-8000-4000-8000-00000000000a',
      thread_id: '5d1f3c1e-8000-4000-8000-00000000000b',
    };
    const question = (state: string): object => ({
      id: '5d1f3c1e-8000-4000-8000-00000000000c',
      role: 'assistant',
      content: [{ ...arrival, decision: { state } }],
    });
    const delta = { content: [{ id: '1', response_type: 'text', text: 'Without a pilot.' }] };
    const [started, asked, ...rest] = fresh([
      { id: '', event: 'run.started', data: ids },
      { id: '', event: 'flow.slot.listen', data: { ...ids, message: question('asked') } },
      { id: '', event: 'message.created', data: { ...ids, message: question('expired') } },
      { id: '', event: 'message.delta', data: { ...ids, delta } },
      { id: '', event: 'run.completed', data: ids },
      { id: '', event: 'done', data: ids },
    ]);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    service = new RunService(
      () => new Response(readable, { headers: { 'content-type': 'text/event-stream' } }),
    );
    chat = ChatFixture.begin();
    await chat.open();
    chat.say('Order a pilot');
    await streamOf([started!, asked!]).body!.pipeTo(writable, { preventClose: true });
    await chat.items(1);
    chat.field('Name of the boat').focus();
    fill(chat.field('Name of the boat'), 'Albatros');
    await streamOf(rest).body!.pipeTo(writable);
    await until(() =>
      chat.texts('agent-chat-form').join().includes('Closed: the conversation has moved on.'),
    );
    expect(chat.texts('agent-chat-form').join()).to.contain('Albatros');
    expect(chat.all(controls)).to.have.length(0);
    expect(focusedElement()).to.equal(chat.find('[part~=form]'));
    await until(() => chat.texts('agent-chat-turn').join().includes('Without a pilot.'));
    expect(chat.all('agent-chat-notice')).to.have.length(0);
    expect(service.posted).to.have.length(1);
  });

  it('buttons, options and forms inside a card work like outside', async () => {
    const boat = {
      response_type: 'form',
      json_schema: { type: 'object', properties: { boat: { type: 'string' } } },
    };
    const go = {
      response_type: 'button',
      button_type: 'post_back',
      label: 'Go',
      value: { input: { text: 'Go on' } },
    };
    const card = {
      response_type: 'card',
      id: 'card',
      body: [{ response_type: 'option', title: 'Anybody?', options }, boat],
      footer: [go],
    };
    await asked(card);
    service.reply = () => freshItems([card]);
    const inLast = (selector: string): HTMLElement[] => chat.all(`agent-chat-turn:last-of-type ${selector}`);
    const named = (name: string): HTMLElement => inLast('button').find((one) => textOf(one) === name)!;
    const answered = async (count: number): Promise<void> => {
      await chat.answered(count);
      await until(() => inLast('[part~=form-submit]').length === 1 && isOpen(named('Pilot')));
    };
    named('Pilot').click();
    await until(() => chat.button('Pilot').ariaPressed === 'true');
    await answered(2);
    fill(inLast('agent-chat-form input')[0]!, 'Albatros');
    inLast('[part~=form-submit]')[0]!.click();
    await answered(3);
    named('Go').click();
    await until(() => service.posted.length === 4);
    const [, option, form, button] = service.items;
    expect(option?.text).to.equal('A pilot');
    expect(form).to.deep.include({ form_operation: 'submit', form_data: { boat: 'Albatros' } });
    expect(button?.text).to.equal('Go on');
  });

  it('a form that was too large for the service opens again with its input', async () => {
    await asked(arrival);
    service.reply = () => Response.json({ detail: [] }, { status: 413 });
    fill(chat.field('Name of the boat'), 'x'.repeat(20_000));
    fill(chat.field('Nights'), '3');
    submit().click();
    await until(() => /too large/i.test(chat.texts('agent-chat-notice').join()));
    await until(() => chat.field('Nights').value === '3');
    service.reply = () => freshTurn(['Thank you.']);
    fill(chat.field('Name of the boat'), 'short');
    submit().click();
    await until(() => service.posted.length === 3);
    expect(service.items[2]).to.deep.include({ form_data: { vessel: 'short', nights: 3 } });
    await until(() => chat.lastAnswer.includes('Thank you.'));
  });

  it('a form sent offline is shown as sent, and is sent once online', async () => {
    await asked(arrival);
    let isOffline = true;
    const accepted: unknown[] = [];
    service.reply = ({ message }) => {
      if (isOffline) throw new TypeError('Failed to fetch');
      accepted.push(message.content[0]);
      return freshTurn(['Thank you.']);
    };
    fill(chat.field('Name of the boat'), 'Albatros');
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    dispatchEvent(new Event('offline'));
    submit().click();
    await until(() => chat.texts('agent-chat-visitor-message').at(-1)?.includes('Submitted'));
    isOffline = false;
    Reflect.deleteProperty(navigator, 'onLine');
    dispatchEvent(new Event('online'));
    await until(() => chat.lastAnswer.includes('Thank you.'));
    expect(accepted).to.have.length(1);
    expect(accepted[0]).to.include({ form_operation: 'submit' });
  });
});
