import { expect } from '@open-wc/testing';
import { wcagContrast } from 'culori';
import { executeServerCommand, sendKeys } from '@web/test-runner-commands';
import { focused, pressUntil } from '../../a11y/focus.ts';
import { ChatFixture, focusedElement, type RunService, until } from '../chat-fixture.ts';
import { demoService } from '../demo-service.ts';
import { emulateWindow, endEmulation } from '../emulation.ts';
import { thisPage } from '../this-page.ts';

// A whole chat by keyboard alone, after the page's own link.
describe('keys in a chat', function () {
  this.timeout(30_000);
  let service: RunService;
  let chat: ChatFixture;
  let link: HTMLAnchorElement;
  beforeEach(async () => {
    await emulateWindow(1280, 720);
    service = demoService();
    link = Object.assign(document.createElement('a'), { href: '#top', textContent: 'Host link' });
    document.body.append(link);
  });
  afterEach(async () => {
    chat.remove();
    link.remove();
    service.stop();
    await endEmulation();
  });

  const now = (): Promise<string> => focused(thisPage);
  const press = thisPage.keyboard.press.bind(thisPage.keyboard);
  const type = thisPage.keyboard.type.bind(thisPage.keyboard);
  const isHidden = (selector: string): boolean =>
    chat.all(selector).every((one) => !one.checkVisibility({ visibilityProperty: true }));
  const isFocused = (place: string | RegExp): Promise<void> =>
    until(async () => (typeof place === 'string' ? (await now()) === place : place.test(await now())));

  /** Opens the panel with the keyboard alone. */
  async function open(attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    chat = ChatFixture.begin({ storage: 'none', ...attributes });
    await chat.host.updateComplete;
    link.focus();
    expect(await now()).to.equal('a: Host link');
    await press('Tab');
    expect(await now()).to.equal('button: Open chat');
    await press('Enter');
    await isFocused('textarea: Message');
    await chat.still();
  }

  /** Sends with Enter and waits until the answer can be judged. */
  async function ask(text: string, answers: number): Promise<void> {
    expect(await now()).to.equal('textarea: Message');
    await type(text);
    await press('Enter');
    await chat.answered(answers);
    expect(await now()).to.equal('textarea: Message');
  }

  /** What has the focus after each of these keys. */
  async function way(...keys: readonly string[]): Promise<string[]> {
    const places: string[] = [];
    for (const key of keys) {
      await press(key);
      places.push(await now());
    }
    return places;
  }

  it('F6 moves between header, conversation and composer, in both directions', async () => {
    await open();
    await type('x');
    expect(await way('F6', 'F6', 'F6')).to.deep.equal([
      'button: Expand',
      'log: Conversation',
      'textarea: Message',
    ]);
    expect(await way('Shift+F6', 'Shift+F6', 'Shift+F6')).to.deep.equal([
      'log: Conversation',
      'button: Expand',
      'textarea: Message',
    ]);
    expect(chat.composer.value).to.equal('x');
  });

  it('arrows, Home and End move between messages, Tab enters one, and its content is read with its name', async () => {
    await open();
    await ask('Hello', 1);
    await ask('And again', 2);
    await press('Shift+F6');
    expect(await way('ArrowUp', 'ArrowUp', 'Home', 'ArrowUp', 'ArrowDown', 'End', 'ArrowDown')).to.deep.equal(
      [
        'article: Assistant said',
        'article: You said',
        'article: You said',
        'article: You said',
        'article: Assistant said',
        'article: Assistant said',
        'article: Assistant said',
      ],
    );
    await press('ArrowUp');
    // the words first, and then what can be done with them
    expect((await messagesRead()).at(-1)).to.match(/^And again \d+:\d\d\s[AP]M Edit$/);
    await press('Home');
    // with the time that is shown beside a message while it has the focus
    expect((await messagesRead())[0]).to.match(/^Hello \d+:\d\d\s[AP]M$/);
    await press('ArrowDown');
    expect(await way('Tab')).to.deep.equal(['button: Copy']);
  });

  it('? opens the shortcuts in a dialog that keeps and restores focus, and types a question mark in a field', async () => {
    await open();
    await press('?');
    expect(chat.composer.value).to.equal('?');
    expect(await way('F6')).to.deep.equal(['button: Expand']);
    await press('?');
    await until(() => chat.find('agent-chat-help').checkVisibility());
    await isFocused('button: Close');
    expect(chat.texts('agent-chat-help #title')[0]).to.equal('Keyboard and reading aloud');
    expect(await way('Tab', 'Tab', 'Tab', 'ArrowDown')).to.deep.equal([
      'input: Finished answers',
      'button: Close',
      'input: Finished answers',
      'input: Sentence by sentence',
    ]);
    await press('Escape');
    await until(() => isHidden('agent-chat-help'));
    expect(await now()).to.equal('button: Expand');
    expect(isHidden('.panel')).to.equal(false);
  });

  describe('focus never moves behind a panel that covers the window', () => {
    for (const [name, attributes, width] of [
      ['on a phone', {}, 400],
      ['as an overlay', { 'form-type': 'fullscreen-overlay' }, 1280],
    ] as const)
      it(name, async () => {
        await emulateWindow(width, 600);
        await open(attributes);
        await until(() => isHidden('.launcher'));
        const reached = new Set<string>();
        for (const key of ['Tab', 'Shift+Tab'])
          for (let count = 0; count < 6; count += 1) {
            await press(key);
            // past the last stop comes the browser itself, which is not the page behind
            await until(async () => (await now()) !== 'a: Host link');
            reached.add(await now());
          }
        expect([...reached]).to.include.members(['button: Close', 'log: Conversation', 'textarea: Message']);
        await press('F6');
        await press('Escape');
        await isFocused('button: Open chat');
      });
  });

  it('Escape closes the innermost part first: a comment, the help, then the panel', async () => {
    await open();
    await ask('Hello', 1);
    await press('Shift+F6');
    await press('ArrowUp');
    await pressUntil(thisPage, 'Tab', 'Bad answer');
    await press('Enter');
    await isFocused('textarea: What could be better?');
    await press('Escape');
    await isFocused('button: Bad answer');
    await press('?');
    await isFocused('button: Close');
    await press('Escape');
    await isFocused('button: Bad answer');
    expect(isHidden('.panel')).to.equal(false);
    await press('Escape');
    await until(() => isHidden('.panel'));
    expect(await now()).to.equal('button: Open chat');
  });

  it('Escape closes a source and returns focus to the marker or source that opened it', async () => {
    await open();
    await ask('/citations', 1);
    await until(() => chat.button(/^Source 2/));
    chat.button(/^Source 2/).focus();
    await press('Enter');
    await until(() => focusedElement()?.matches('.excerpt'));
    await press('Escape');
    await chat.shows('.excerpt', 0);
    await isFocused(/^button: Source 2/);
    await pressUntil(thisPage, 'Tab', '1 · Rules of the harbour');
    await press('Enter');
    await chat.shows('.excerpt');
    await press('Escape');
    await chat.shows('.excerpt', 0);
    await isFocused(/1 · Rules of the harbour/);
    await press('Escape');
    await until(() => isHidden('.panel'));
  });

  it('Enter that is held down on the launcher does not send the draft', async () => {
    await open();
    await type('Hello');
    await press('Escape');
    await isFocused('button: Open chat');
    await sendKeys({ down: 'Enter' });
    await isFocused('textarea: Message');
    await sendKeys({ down: 'Enter' });
    await sendKeys({ up: 'Enter' });
    expect(chat.composer.value).to.equal('Hello');
  });

  it('in an empty composer, Page Up, Page Down, Home and End scroll the conversation; beside text they move the caret', async () => {
    await open();
    await ask('/long 3000', 1);
    const heard = (): string => chat.find('[aria-live=polite]').innerHTML;
    await until(() => heard() !== '');
    const before = heard();
    const scroller = chat.find('agent-chat-transcript .scroller');
    const end = (): number => scroller.scrollHeight - scroller.clientHeight;
    const atEnd = (): Promise<void> => until(() => end() - scroller.scrollTop < 2);
    await press('End');
    await atEnd();
    await press('PageUp');
    await until(() => Math.abs(scroller.scrollTop - (end() - 0.875 * scroller.clientHeight)) < 3);
    await press('PageDown');
    await atEnd();
    for (const modifier of ['', 'Control+']) {
      await press(`${modifier}Home`);
      await until(() => Math.round(scroller.scrollTop) === 0);
      await press(`${modifier}End`);
      await atEnd();
    }
    expect(await now()).to.equal('textarea: Message');
    // announcements are removed after a while
    expect(['', before]).to.include(heard());
    await type('one more');
    const top = scroller.scrollTop;
    for (const [key, caret] of [
      ['Home', 0],
      ['End', 8],
      ['PageUp', 0],
      ['PageDown', 8],
    ] as const) {
      await press(key);
      await until(() => chat.composer.selectionStart === caret);
    }
    expect(scroller.scrollTop).to.equal(top);
  });

  describe('in place', () => {
    let box: HTMLElement;
    afterEach(() => box.remove());

    /** Shows a chat in place, as a sidebar of this width, with focus in its composer. */
    async function visit(width = 400): Promise<void> {
      box = document.createElement('div');
      box.style.cssText = `width: ${width}px; height: 640px`;
      document.body.append(box);
      const attributes = { storage: 'none', 'form-type': 'custom', width: '100%', height: '100%' };
      chat = ChatFixture.begin({ ...attributes, conversations: 'on' }, undefined, box);
      await until(() => chat.composer);
      chat.composer.focus();
    }

    /** Asks with the keyboard and waits for the answer. */
    async function say(text: string, answers: number): Promise<void> {
      await isFocused('textarea: Message');
      await type(text);
      await press('Enter');
      await chat.answered(answers);
    }

    it('the focused one of several invalid fields stands out', async () => {
      await visit();
      await say('/form', 1);
      await isFocused(/^input: Name of the boat/);
      await press('Enter');
      await until(
        () => chat.field('Name of the boat').ariaInvalid === 'true' || chat.all('[aria-invalid=true]').length,
      );
      await isFocused(/^input: Name of the boat/);
      const ring = getComputedStyle(chat.field('Name of the boat')).outlineColor;
      expect(ring).not.to.equal(getComputedStyle(chat.field('Length in metres')).borderColor);
    });

    it('the ring of the first stop contrasts with the header behind it', async () => {
      await visit();
      await pressUntil(thisPage, 'Shift+Tab', 'Keyboard and reading aloud');
      const behind = getComputedStyle(chat.find('agent-chat-header')).backgroundColor;
      const ring = getComputedStyle(focusedElement()!).outlineColor;
      expect(wcagContrast(ring, behind)).to.be.above(3);
    });

    it('the help does not say that Escape closes a chat in place', async () => {
      await visit();
      await pressUntil(thisPage, 'Shift+Tab', 'Keyboard and reading aloud');
      await press('Enter');
      await until(() => chat.texts('agent-chat-help')[0]?.includes('Move between messages'));
      expect(chat.texts('agent-chat-help').join()).not.to.include('Close the chat');
    });
  });
});

/** What a screen reader reads of each of the visitor's messages after its name. */
async function messagesRead(): Promise<string[]> {
  const { nodes } = await executeServerCommand<Tree, unknown>('devtools', {
    method: 'Accessibility.getFullAXTree',
    parameters: {},
  });
  return nodes
    .filter(({ role, name }) => role?.value === 'article' && name?.value === 'You said')
    .map(({ description }) => String(description?.value));
}

interface Told {
  readonly value: unknown;
}
/** The accessibility tree, as the browser tells it. */
interface Tree {
  readonly nodes: readonly { readonly role?: Told; readonly name?: Told; readonly description?: Told }[];
}
