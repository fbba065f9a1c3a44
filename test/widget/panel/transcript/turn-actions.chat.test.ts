import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { ChatFixture, fill, focusedElement, freshTurn, RunService, until } from '../../chat-fixture.ts';
import { textOf } from '../../content/item-fixture.ts';
import { emulateMedia, emulateWindow, endEmulation } from '../../emulation.ts';
import type { Feedback } from '../../../../src/conversation/index.ts';

// What a visitor does with an answer in the whole chat. The agent repeats what it is told.
describe('the actions of an answer in a chat', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  const faults: string[] = [];
  const note = ({ message }: ErrorEvent): unknown => faults.push(message);
  beforeEach(async () => {
    addEventListener('error', note);
    await emulateWindow(1280, 720);
    service = new RunService(({ message }) => freshTurn([message.content[0]?.text ?? '']));
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
    removeEventListener('error', note);
    expect(faults.splice(0)).to.deep.equal([]);
  });

  async function visit(json?: unknown): Promise<void> {
    chat = ChatFixture.begin({}, json);
    await chat.open();
  }

  async function ask(text: string): Promise<void> {
    const before = chat.all('agent-chat-turn-actions').length;
    chat.say(text);
    await chat.answered(before + 1);
  }

  function feedbacks(): Feedback[] {
    const given: Feedback[] = [];
    chat.host.addEventListener('agent-chat-feedback', ({ feedback }) => given.push(feedback));
    return given;
  }

  it('feedback fires an event and is sent with the next message', async () => {
    await visit({ feedback_reasons: ['Wrong', 'Too long'] });
    const given = feedbacks();
    await ask('Hello');
    chat.button('Bad answer').click();
    await until(() => chat.all('agent-chat-feedback-form input').length === 2);
    await until(() => focusedElement() === chat.field('Wrong'));
    chat.field('Too long').click();
    fill(chat.field('Comment'), 'Please be brief');
    chat.button('Send feedback').click();
    const feedback = { is_positive: false, text: 'Please be brief', selected_categories: ['Too long'] };
    expect(given.at(-1)).to.deep.equal(feedback);
    await until(() => chat.button('Bad answer').ariaPressed === 'true');
    await ask('Next');
    const state = service.posted[1]?.message['message_state'] as {
      content: Record<string, { feedback: unknown }>;
    };
    expect(Object.values(state.content).map((entry) => entry.feedback)).to.deep.equal([feedback]);
  });

  it('an answer that was stopped before its first word can be asked for again, and not rated', async () => {
    await visit();
    let close = (): void => undefined;
    const { reply } = service;
    service.reply = () =>
      new Response(new ReadableStream({ start: (stream) => (close = () => stream.close()) }), {
        headers: { 'content-type': 'text/event-stream' },
      });
    chat.say('Hello');
    await until(() => service.posted.length === 1);
    chat.button('Stop').click();
    await until(() => chat.buttons('Answer again').length === 1);
    expect(chat.find('agent-chat-notice').shadowRoot?.textContent).to.contain('Stopped');
    for (const name of ['Copy', 'Good answer', 'Bad answer']) expect(chat.buttons(name)).to.deep.equal([]);
    service.reply = reply;
    close();
    chat.button('Answer again').click();
    await chat.answered(1);
    await until(() => chat.lastAnswer.includes('Hello'));
    expect(chat.all('agent-chat-visitor-message')).to.have.length(1);
    expect(service.posted).to.have.length(2);
  });

  it('a changed rating leaves one thumb pressed, not both', async () => {
    await visit();
    await ask('Hello');
    chat.button('Good answer').click();
    await until(() => chat.button('Good answer').ariaPressed === 'true');
    chat.button('Bad answer').click();
    await until(() => chat.button('Bad answer').ariaPressed === 'true');
    expect(chat.button('Good answer').ariaPressed).to.equal('false');
    await until(() => chat.buttons('Cancel').length === 1);
    chat.button('Cancel').click(); // the question only
    await until(() => chat.buttons('Cancel').length === 0);
    expect(chat.button('Bad answer').ariaPressed).to.equal('true');
  });

  it('ratings count one by one, however fast they are given', async () => {
    await visit();
    const given = feedbacks();
    await ask('Hello');
    chat.button('Bad answer').click();
    await until(() => chat.all('agent-chat-feedback-form').length === 1);
    await sendKeys({ press: 'Escape' });
    await until(() => chat.all('agent-chat-feedback-form').length === 0);
    for (const name of ['Good answer', 'Bad answer']) chat.button(name).click(); // faster than a draw
    expect(given.map((feedback) => feedback.is_positive)).to.deep.equal([false, true, false]);
    await until(() => chat.buttons('Cancel').length === 1);
    chat.button('Cancel').click();
    await until(() => chat.buttons('Cancel').length === 0);
    expect(chat.button('Bad answer').ariaPressed).to.equal('true');
  });

  it('the feedback form’s checkboxes and the help’s choices use the theme', async () => {
    await emulateMedia({ 'prefers-color-scheme': 'dark' });
    await visit({ feedback_reasons: ['Wrong'] });
    await ask('Hello');
    chat.button('Bad answer').click();
    await until(() => chat.all('agent-chat-feedback-form input').length === 1);
    expect(getComputedStyle(chat.field('Wrong')).appearance).to.equal('none');
    await sendKeys({ press: 'Escape' });
    await until(() => focusedElement() === chat.button('Bad answer'));
    await sendKeys({ press: '?' });
    await until(() => chat.all('agent-chat-help input[type=radio]').length > 0);
    expect(getComputedStyle(chat.find('agent-chat-help input[type=radio]')).appearance).to.equal('none');
  });

  describe('where the clipboard is', () => {
    const { clipboard } = navigator;
    const { execCommand } = document;
    afterEach(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
      document.execCommand = execCommand;
    });
    const place = (value: unknown): unknown =>
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value });

    const refuse = (): Promise<never> => Promise.reject(new DOMException('', 'NotAllowedError'));

    const answer = 'Some **bold** words\n\n```js\nlet a;\n```';

    /** Presses both Copy buttons: that of the answer and that of the code. */
    async function copyBoth(outcome: string, check: (text: string) => void): Promise<void> {
      await visit();
      await ask(answer);
      await until(() => chat.all('.code-head button').length > 0);
      for (const [root, text] of [
        ['agent-chat-turn-actions', answer],
        ['.code-head', 'let a;'],
      ] as const) {
        const named = (name: string): HTMLElement | undefined =>
          chat.all(`${root} button`).find((button) => [button.ariaLabel, textOf(button)].includes(name));
        named('Copy')?.focus();
        await sendKeys({ press: 'Enter' });
        await until(() => named(outcome));
        expect(focusedElement()).to.equal(named(outcome));
        check(text);
      }
      expect(chat.all('textarea')).to.have.length(1);
    }

    it('there, copying writes the answer as Markdown and as HTML, and code as it is', async () => {
      const written: string[] = [];
      const htmls: string[] = [];
      place({
        writeText: (text: string) => Promise.resolve(void written.push(text)),
        write: async ([item]: readonly ClipboardItem[]) => {
          const read = async (type: string): Promise<string> => (await item!.getType(type)).text();
          written.push(await read('text/plain'));
          htmls.push(await read('text/html'));
        },
      });
      await copyBoth('Copied', (text) => expect(written.at(-1)).to.equal(text));
      expect(htmls).to.deep.equal([
        '<p>Some <strong>bold</strong> words</p><pre><code>let a;\n</code></pre>',
      ]);
    });

    it('missing, copying uses a selection', async () => {
      place(undefined);
      const copied: string[] = [];
      const heed = ({ target }: Event): void => {
        const field = target instanceof HTMLTextAreaElement ? target : focusedElement();
        const { value, selectionStart, selectionEnd } = field as HTMLTextAreaElement; // made for the copy
        copied.push(value.slice(selectionStart, selectionEnd));
      };
      document.addEventListener('copy', heed);
      await copyBoth('Copied', (text) => expect(copied.at(-1)).to.equal(text));
      document.removeEventListener('copy', heed);
    });

    for (const [way, value] of [
      ['missing', undefined],
      ['refused', { writeText: refuse, write: refuse }],
    ] as const) {
      it(`${way}, and selections copy nothing either, copying reports that it failed`, async () => {
        place(value);
        document.execCommand = () => false;
        await copyBoth('Copying failed', () => {
          expect(chat.texts('agent-chat-turn').join()).to.contain('Copying failed');
        });
      });
    }
  });

  it('code is highlighted, and a selection over it contains only the answer', async () => {
    await visit();
    await ask('Before\n\n```js\nlet a;\n```\n\nAfter');
    await until(() => chat.all('.lines .keyword').length > 0);
    const colourOf = (selector: string): string => getComputedStyle(chat.find(selector)).color;
    expect(colourOf('.keyword')).not.to.equal(colourOf('.lines'));
    const [first, last] = ['Before', 'After'].map((text) =>
      chat.all('agent-chat-markdown p').find((one) => textOf(one) === text),
    );
    // as a drag from the first to the last line selects
    const root = first?.getRootNode() as ShadowRoot; // the lines are drawn in it
    getSelection()?.setBaseAndExtent(first!.firstChild!, 0, last!.lastChild!, 5);
    const selected = getSelection()?.toString() ?? '';
    expect(root.contains(last!)).to.equal(true);
    expect(selected).to.contain('let a;');
    expect(selected).not.to.match(/JavaScript|Wrap|Copy/);
  });
});
