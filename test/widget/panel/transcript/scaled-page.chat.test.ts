import { expect } from '@open-wc/testing';
import { ChatFixture, freshTurn, RunService, until } from '../../chat-fixture.ts';
import { textOf } from '../../content/item-fixture.ts';
import { emulateWindow, endEmulation } from '../../emulation.ts';

const paragraphs = Array.from(
  { length: 40 },
  (_none, at) =>
    `Paragraph ${at + 1}: the tide turns at noon, and until then every berth can be reached.\n\n`,
);

for (const [name, value] of [
  ['zoom', '0.6'],
  ['zoom', '1.4'],
  ['transform', 'scale(0.6)'],
] as const)
  describe(`how the conversation scrolls on a page with ${name}: ${value}`, function () {
    this.timeout(30_000);
    let service: RunService;
    let chat: ChatFixture;
    beforeEach(async () => {
      await emulateWindow(1280, 720);
      service = new RunService(({ message }) =>
        freshTurn(message.content[0]?.text?.includes('long') ? paragraphs : ['Fine.']),
      );
      document.body.style.setProperty(name, value);
      chat = ChatFixture.begin({ 'form-type': 'custom', height: '500px' });
      await until(() => chat.composer);
    });
    afterEach(async () => {
      chat.remove();
      service.stop();
      document.body.style.removeProperty(name);
      await endEmulation();
    });

    const scroller = (): HTMLElement => chat.find('agent-chat-transcript .scroller');
    /** Distance of the newest question from the top of the view, in pixels of the screen. */
    const gap = (): number =>
      chat.all('agent-chat-visitor-message').at(-1)!.getBoundingClientRect().y -
      scroller().getBoundingClientRect().y;

    it('a question goes to the top of the view, and a button leads on only if there is more', async () => {
      for (const [index, question] of ['A long one', 'A short one', 'A long one again', 'Thanks'].entries()) {
        chat.say(question);
        await chat.answered(index + 1);
        await until(() => gap() >= 0 && gap() < 40);
        await until(() => chat.buttons('New below').length === (question.includes('long') ? 1 : 0));
      }
    });

    it('the text in view stays in place when earlier turns are loaded', async () => {
      for (let count = 0; count < 40; count += 1) await chat.host.send(`Question ${count}`);
      await until(() => chat.turns.at(-1)?.shadowRoot?.querySelector('agent-chat-turn-actions'));
      const shown = chat.turns.length;
      await until(async () => {
        scroller().scrollTo(0, 0);
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
        return scroller().scrollTop === 0 && chat.buttons('Show earlier').length === 1;
      });
      const before = chat.turns[0]!.getBoundingClientRect().y;
      const text = textOf(chat.turns[0]!);
      chat.button('Show earlier').click();
      await until(() => chat.turns.length === 40);
      const same = chat.turns[40 - shown]!;
      expect(textOf(same)).to.equal(text);
      await until(() => Math.abs(same.getBoundingClientRect().y - before) < 48);
    });
  });
