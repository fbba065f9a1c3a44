import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { recordLiveRegions } from '../../a11y/announcements.ts';
import { formItem } from '../../tools/rich-answer.ts';
import type { WireEvent } from '../../tools/wire-events.ts';
import {
  ChatFixture,
  focusedElement,
  freshItems,
  freshTurn,
  RunService,
  streamOf,
  until,
} from '../chat-fixture.ts';
import { emulateMedia, emulateWindow, endEmulation } from '../emulation.ts';

const pieces = ['The harbour opens at eight. ', 'Bring **your papers**. ', 'See you there!'];
const whole = 'Assistant said: The harbour opens at eight. Bring your papers. See you there!';
const modes = {
  answer: ['Working on it…', whole],
  sentence: [
    'Working on it…',
    'Assistant said: The harbour opens at eight.',
    'Bring your papers.',
    'See you there!',
    'Answer complete.',
  ],
  quiet: ['Assistant is answering.', 'Answer complete.'],
};
const offline = 'You are offline. Messages are sent once you are back';
const waiting = 'Waiting to be sent';

describe('what a screen reader hears', function () {
  this.timeout(30_000);
  let service: RunService;
  let chat: ChatFixture;
  before(() => recordLiveRegions());
  beforeEach(async () => {
    await emulateWindow(1280, 720);
    service = new RunService();
    heard().length = 0;
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  /** The announcements so far. */
  // `recordLiveRegions` has put them there
  const heard = (): string[] => Reflect.get(globalThis, 'announcements') as string[];
  const hears = (...texts: readonly string[]): Promise<void> =>
    until(() => heard().join('|') === texts.join('|'));

  /** Answers every run with a turn, slowly enough to render each piece separately. */
  function answerSlowly(events: () => readonly WireEvent[] = () => freshTurn(pieces), pauseMs = 400): void {
    service.reply = () => streamOf(events(), { pauseMs });
  }

  async function open(attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    chat = ChatFixture.begin(attributes);
    await chat.open();
    chat.composer.focus();
  }

  function setOnline(isOnline: boolean): void {
    if (isOnline) Reflect.deleteProperty(navigator, 'onLine');
    else Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  for (const [mode, words] of Object.entries(modes)) {
    it(`announce="${mode}" announces a streamed answer in this order: ${words.join(' | ')}`, async () => {
      answerSlowly();
      await open({ announce: mode });
      chat.say('When?');
      await hears(...words);
      await chat.answered(1);
      expect(heard()).to.deep.equal(words);
    });
  }

  for (const mode of ['answer', 'sentence']) {
    it(`code and tables are announced as such, lists and links as their text (${mode})`, async () => {
      const text =
        '# Prices\n\n- one [berth](https://example.com)\n- two berths\n\n```js\na();\nb();\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.';
      answerSlowly(() => freshTurn(text.split(/(?<=\n)/)), 5);
      await open({ announce: mode });
      chat.say('Prices?');
      // where a stop is heard depends on the piece in which a line came; the words and their order do not
      const all = (): string =>
        heard()
          .filter((entry) => !/^(Working|Answer complete)/.test(entry))
          .join(' ')
          .replaceAll('.', '');
      await until(
        () => all() === 'Assistant said: Prices one berth two berths Code, 2 lines Table, 1 row Done',
      );
    });
  }

  it('an error is announced once, with its visible text', async () => {
    service.reply = () => Response.json({ detail: 'boom' }, { status: 500 });
    await open();
    chat.say('When?');
    const words = 'The service has a problem. Please try again.';
    await until(() => chat.texts('.notice').join().includes(words));
    await until(() => heard().includes(words));
    // a failure that takes longer than the announcer's delay follows the announcement of the start
    expect(heard().filter((text) => text !== 'Working on it…')).to.deep.equal([words]);
  });

  it('a message queued behind the first answer is announced as waiting, and when it is removed', async () => {
    answerSlowly(undefined, 700);
    await open();
    chat.say('When?');
    await until(() => chat.lastAnswer.includes('harbour'));
    chat.say('And where?');
    await until(() => chat.texts('agent-chat-visitor-message').join().includes('Waiting to be sent'));
    await until(() => heard().includes('Waiting to be sent'));
    chat.button('Remove').click();
    await until(() => heard().includes('And where? removed.'));
    await until(() => chat.all('agent-chat-visitor-message').length === 1);
  });

  /** A service that cannot be reached while the page is offline. */
  function loseConnection(): void {
    const { reply } = service;
    service.reply = (...run) => {
      if (!navigator.onLine) throw new TypeError('Failed to fetch');
      return reply(...run);
    };
    setOnline(false);
  }

  it('a new chat during an answer is announced after the end of that answer', async () => {
    answerSlowly();
    await open();
    chat.say('When?');
    await until(() => chat.lastAnswer.includes('harbour'));
    chat.button('New chat').click();
    await hears('Working on it…', 'Stopped', 'New chat started.');
  });

  it('a message sent offline is announced as waiting', async () => {
    answerSlowly(undefined, 5);
    await open();
    chat.say('When?');
    await until(() => heard().includes(whole));
    const before = heard().length;
    loseConnection();
    chat.say('And where?');
    const since = (): string[] => heard().slice(before);
    await until(() => since().includes(waiting));
    setOnline(true);
    await until(() => since().includes('Connected again.'));
    expect(since().slice(0, since().indexOf('Connected again.'))).to.deep.equal([offline, waiting]);
  });

  it('a first message sent offline is announced as waiting, and the return of the connection before the answer', async () => {
    answerSlowly(undefined, 700);
    await open();
    loseConnection();
    chat.say('When?');
    await hears(offline, waiting);
    setOnline(true);
    await hears(offline, waiting, 'Connected again.', 'Working on it…', whole);
  });

  it('an answer that arrives while the panel is closed is announced as unread, named on the launcher, and read on opening', async () => {
    answerSlowly();
    await open();
    chat.say('When?');
    await hears('Working on it…');
    await sendKeys({ press: 'Escape' });
    await until(() => focusedElement() === chat.find('.launcher'));
    await until(() => chat.find('.launcher').ariaLabel === 'Open chat, 1 new message');
    await hears('Working on it…', '1 new message');
    await sendKeys({ press: 'Enter' });
    await until(() => focusedElement() === chat.composer);
    await hears('Working on it…', '1 new message', whole);
  });

  it('a lost connection and its return are announced, then the answer, once', async () => {
    const turn = freshTurn(pieces);
    service.reply = () => {
      const begun = streamOf(turn.slice(0, 4), { staysOpen: true });
      const cut = new TransformStream<Uint8Array, Uint8Array>();
      const aborted = AbortSignal.timeout(500);
      begun.body?.pipeTo(cut.writable, { signal: aborted }).catch(() => undefined);
      return new Response(cut.readable, { headers: { 'content-type': 'text/event-stream' } });
    };
    service.other = ({ url }) => {
      if (!/\/runs\/[^/]+\/events/.test(url.pathname)) return undefined;
      const rest = (): Response => streamOf(turn.slice(4), { pauseMs: 400 });
      return new Promise((resolve) => setTimeout(() => resolve(rest()), 700));
    };
    await open();
    chat.say('When?');
    await until(() => heard().includes(whole));
    expect(heard()).to.deep.equal(['Working on it…', 'Reconnecting…', 'Connected again.', whole]);
  });

  it('form errors, handovers and uploads are announced once, in the same live region', async () => {
    answerSlowly(
      () =>
        freshItems([
          {
            response_type: 'form',
            id: 'form',
            json_schema: {
              type: 'object',
              title: 'Boat',
              required: ['name'],
              properties: { name: { type: 'string' } },
            },
          },
          { response_type: 'connect_to_agent', id: 'person' },
          { response_type: 'file_upload', id: 'files', title: 'Papers' },
        ]),
      5,
    );
    await open();
    chat.host.uploadDocument = (file) =>
      file.name === 'plan.pdf'
        ? Promise.resolve('00000000-0000-4000-8000-00000000000a')
        : Promise.reject(new Error('no'));
    chat.say('Papers?');
    await chat.answered(1);
    await until(() => chat.buttons('Submit').length === 1);
    chat.button('Submit').click();
    const expected = ['Assistant said: Form to fill in: Boat. Papers', 'Please correct 1 answer.'];
    await until(() => expected.every((text) => heard().includes(text)));
    chat.button('Connect').click();
    await until(() => heard().includes('Nobody is available right now.'));
    const picker = chat.find<HTMLInputElement>('agent-chat-file-upload input[type=file]');
    for (const name of ['plan.pdf', 'tides.pdf']) {
      const chosen = new DataTransfer();
      chosen.items.add(new File(['x'], name, { type: 'application/pdf' }));
      picker.files = chosen.files;
      picker.dispatchEvent(new Event('change', { bubbles: true }));
      await until(() => heard().some((text) => text.startsWith(name)));
    }
    expect(heard().filter((text) => !text.startsWith('Working'))).to.deep.equal([
      ...expected,
      'Nobody is available right now.',
      'plan.pdf, uploaded',
      'tides.pdf could not be uploaded.',
    ]);
    expect(chat.all('[role=alert], [role=status], output')).to.have.length(0);
  });

  it('of the numbers of matches while one types, only the last is announced', async () => {
    const berth = { type: 'string', title: 'Berth', enum: ['A1', 'A2', 'B1'] };
    const form = formItem({ title: 'Berth', properties: { berth } });
    answerSlowly(() => freshItems([{ ...form, ui_schema: { berth: { 'ui:widget': 'ComboboxWidget' } } }]), 5);
    await open();
    chat.say('Where?');
    await chat.shows('agent-chat-form [role=combobox]');
    await until(() => heard().some((text) => text.includes('Form to fill in')));
    heard().length = 0;
    chat.find('agent-chat-form [role=combobox]').focus();
    await sendKeys({ type: 'a2' });
    await hears('1 match');
  });

  it('a form is announced by its title, and a carousel announces its position and respects reduced motion', async () => {
    const card = (name: string): Record<string, unknown> => ({
      response_type: 'card',
      body: [{ response_type: 'text', text: name }],
    });
    const form = formItem({ title: 'Announce an arrival', properties: { boat: { type: 'string' } } });
    answerSlowly(
      () =>
        freshItems([
          { ...form, name: 'arr_v2' },
          { response_type: 'carousel', id: 'c', title: 'Berths', items: ['C 14', 'C 22', 'D 03'].map(card) },
        ]),
      5,
    );
    await emulateMedia({ 'prefers-reduced-motion': 'reduce' });
    await open();
    chat.say('Where?');
    await until(() => heard().some((text) => text.includes('Form to fill in: Announce an arrival.')));
    await chat.shows('agent-chat-carousel .slides');
    chat.button('Next').click();
    expect(chat.find('agent-chat-carousel .slides').scrollLeft).to.be.above(100);
    await until(() => heard().includes('2 of 3'));
  });

  it('the transcript is never announced by itself: it is a log with aria-live off', async () => {
    answerSlowly(undefined, 5);
    await open();
    chat.say('When?');
    await chat.answered(1);
    const log = chat.find('[role=log]');
    expect([log.ariaLabel, log.ariaLive]).to.deep.equal(['Conversation', 'off']);
    expect(chat.all('[aria-live=polite], [aria-live=assertive]')).to.have.length(1);
  });
});
