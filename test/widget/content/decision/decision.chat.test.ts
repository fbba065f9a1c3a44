import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  ChatFixture,
  fill,
  focusedElement,
  fresh,
  freshTurn,
  RunService,
  until,
} from '../../chat-fixture.ts';
import { emulateWindow, endEmulation } from '../../emulation.ts';
import { plainTurn, type WireEvent } from '../../../tools/wire-events.ts';

const approval = {
  response_type: 'forms',
  sub_type: 'tool_approval',
  id: 'call-1',
  name: 'Book a berth',
  tool: { server: 'Berths' },
  json_schema: { type: 'object', properties: { boat: { type: 'string', title: 'Boat' } } },
  form_data: { boat: 'Marigold' },
};

/** The turn of an agent that asks. */
function askingTurn(): WireEvent[] {
  const events = plainTurn(['Shall I?']);
  const message = { id: 'M', role: 'assistant', content: [approval] };
  events.splice(-2, 0, {
    id: '',
    event: 'message.interrupt',
    data: { ...events[0]!.data, message_id: 'M', message },
  });
  return fresh(events);
}

// A decision in a whole chat, with a service that may refuse it.
describe('a decision in a chat', () => {
  let service: RunService;
  let chat: ChatFixture;
  /** Status of the answer to the first decision. */
  let status: number;
  /** What the service knows of the decision. */
  let decision: Readonly<Record<string, unknown>> | undefined;

  beforeEach(async () => {
    status = 200;
    decision = undefined;
    service = new RunService(({ message }) => {
      if (message.content[0]?.['response_type'] !== 'form_operation') return askingTurn();
      const now = status;
      status = 200;
      return now === 200
        ? freshTurn(['Done.'])
        : Response.json({ detail: [{ loc: ['body'], msg: 'no', type: 'no' }] }, { status: now });
    });
    service.other = ({ url }) => {
      if (!decision || !url.pathname.endsWith('/messages')) return undefined;
      return Response.json({
        messages: [{ id: 'M', role: 'assistant', content: [{ ...approval, decision }] }],
      });
    };
    chat = ChatFixture.begin();
    await chat.open();
    chat.composer.focus();
    chat.write('Book it');
    await sendKeys({ press: 'Enter' });
    await until(() => card().includes('Your decision is needed'));
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  const card = (): string => chat.texts('agent-chat-decision').join();
  const header = (): string => chat.texts('agent-chat-header .status').join();
  const press = (name: string): void => chat.button(name).click();
  const hasFocusOnSummary = (): boolean => focusedElement()?.localName === 'summary';
  const expectNoNotice = (): unknown => expect(chat.all('agent-chat-notice .notice')).to.have.length(0);

  it('shows another one that was first, without a failed turn', async () => {
    status = 409;
    decision = { state: 'declined', reason: 'Too expensive' };
    press('Approve');
    await until(() => card().includes('Declined: Too expensive'));
    await until(hasFocusOnSummary);
    expectNoNotice();
  });

  it('says so when one was first that is not known here', async () => {
    status = 409;
    press('Approve');
    await until(() => card().includes('Already decided elsewhere'));
    await until(() => header() === 'Online');
  });

  it('is named in the header until it is decided, whatever is said in between', async () => {
    chat.write('Wait');
    service.reply = () => freshTurn(['I wait.']);
    await sendKeys({ press: 'Enter' });
    await until(() => chat.texts('agent-chat-turn').join().includes('I wait.'));
    expect(header()).to.equal('Your reply is needed');
    press('Approve');
    await until(() => header() === 'Online');
  });

  it('keeps changes that the service refuses, and they can be corrected', async () => {
    status = 422;
    press('Edit');
    await chat.shows('agent-chat-decision input');
    fill(chat.field('Boat'), 'Albatros');
    press('Approve with changes');
    await until(() => card().includes('These details were not accepted.'));
    expect(chat.field('Boat').value).to.equal('Albatros');
    await until(() => chat.texts('agent-chat-header').join().includes('Your reply is needed'));
    expectNoNotice();
    fill(chat.field('Boat'), 'Albatross');
    press('Approve with changes');
    await until(() => card().includes('Approved with changes'));
    expect(service.items.at(-1)).to.deep.include({ form_data: { boat: 'Albatross' } });
  });

  it('cannot be sent twice while the page delays it, and is open again when it is cancelled', async () => {
    let letGo = (): void => undefined;
    let seen = 0;
    chat.host.addEventListener('agent-chat-message-submit', (event) => {
      seen += 1;
      event.waitUntil(new Promise<void>((resolve) => (letGo = resolve)));
    });
    press('Approve');
    await until(() => card().includes('Sending your decision…'));
    expect(chat.buttons('Approve')).to.have.length(0);
    await until(hasFocusOnSummary);
    press('Remove');
    await until(() => card().includes('Your decision is needed'));
    press('Approve');
    await until(() => chat.buttons('Remove').length === 1);
    letGo();
    await until(() => card().includes('Approved'));
    expect([seen, service.posted.length]).to.deep.equal([2, 2]);
  });

  it('can be declined where text is large and the window small, without scrolling to the button', async () => {
    try {
      chat.host.style.setProperty('--agent-chat-size', '30px');
      await emulateWindow(280, 560);
      press('Decline');
      await until(() => focusedElement()?.localName === 'textarea' && chat.buttons('Back').length === 1);
      const { bottom } = chat.find('.scroller').getBoundingClientRect();
      await until(() => chat.button('Decline').getBoundingClientRect().bottom <= bottom - 16);
    } finally {
      await endEmulation();
    }
  });

  it('can be decided with the keyboard alone', async () => {
    await sendKeys({ press: 'Enter' }); // the Enter that sends decides nothing
    expect(service.posted).to.have.length(1);
    chat.button('Decline').focus();
    await sendKeys({ press: 'Tab' });
    await sendKeys({ press: 'Tab' });
    expect(focusedElement()).to.equal(chat.button('Approve'));
    await sendKeys({ press: 'Enter' });
    await until(() => card().includes('Approved'));
    await until(hasFocusOnSummary);
  });

  /** Enter goes down and stays down. */
  async function hold(name: string, isDone: () => boolean): Promise<void> {
    chat.button(name).focus();
    await sendKeys({ down: 'Enter' });
    await until(isDone);
    for (let count = 0; count < 3; count += 1) await sendKeys({ down: 'Enter' });
    await sendKeys({ up: 'Enter' });
  }

  it('presses nothing else while Enter is held down', async () => {
    await hold('Edit', () => focusedElement()?.localName === 'input');
    await hold('Back', () => focusedElement()?.textContent.trim() === 'Edit');
    expect(chat.buttons('Back')).to.have.length(0);
    await hold('Decline', () => focusedElement()?.localName === 'textarea');
    await hold('Back', () => focusedElement()?.textContent.trim() === 'Decline');
    expect(service.posted).to.have.length(1);
    await hold('Approve', hasFocusOnSummary);
    await until(() => card().includes('Approved'));
    expect(chat.find<HTMLDetailsElement>('agent-chat-decision details').open).to.equal(false);
  });
});
