import { expect } from '@open-wc/testing';
import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import { ChatFixture, focusedElement, freshTurn, RunService, streamOf, until } from '../chat-fixture.ts';
import { emulateWindow, endEmulation, turnWheel } from '../emulation.ts';
import { landings } from '../../tools/landings.ts';

const highest = 2147483647;
const screenful =
  'inset:0;width:100vw;height:100vh;max-width:none;max-height:none;box-sizing:border-box;margin:0';

describe('a chat above all else in the page', function () {
  this.timeout(30_000);
  let service: RunService;
  let chat: ChatFixture;
  let page: HTMLElement;
  beforeEach(async () => {
    await emulateWindow(1000, 760);
    service = new RunService(({ message }) => {
      const pieces = Array.from({ length: 40 }, (_none, index) => `Line ${index + 1} of the answer.\n\n`);
      const isSlow = message.content[0]?.text?.includes('slowly');
      return isSlow ? streamOf(freshTurn(pieces), { pauseMs: 25 }) : freshTurn(['A short answer.']);
    });
  });
  afterEach(async () => {
    chat.remove();
    page.remove();
    service.stop();
    await resetMouse();
    await endEmulation();
  });

  /** A part of a page with a chat where `<chat-here>` stands. */
  async function visit(html: string): Promise<void> {
    page = document.createElement('main');
    page.innerHTML = html;
    document.body.append(page);
    const place = page.querySelector('chat-here');
    const around = place?.parentElement;
    if (!place || !around) throw new Error('no place for the chat');
    chat = ChatFixture.begin({ storage: 'none' }, undefined, around);
    place.replaceWith(chat.host);
    await until(() => chat.all('.launcher').length > 0);
  }

  const overlay = (): HTMLElement => page.querySelector<HTMLElement>('#overlay')!;

  const nothingCovers = (): Promise<void> => until(() => landings(chat.host).length === 0);

  async function press(target: Element): Promise<void> {
    const { left, top, width, height } = target.getBoundingClientRect();
    await sendMouse({
      type: 'click',
      position: [Math.round(left + width / 2), Math.round(top + height / 2)],
    });
  }

  /** Opens the chat, asks and closes it again by real presses on what is seen. */
  async function useByPointer(): Promise<void> {
    expect(landings(chat.host)).to.deep.equal([]);
    await press(chat.find('.launcher'));
    await until(() => chat.composer);
    await chat.still();
    await press(chat.composer);
    await sendKeys({ type: 'Can I still write?' });
    await press(chat.find('agent-chat-composer .main'));
    await until(() => chat.lastAnswer.includes('A short answer.'));
    await chat.answered(1);
    expect(landings(chat.host)).to.deep.equal([]);
    await press(chat.button('Close'));
    await until(() => !chat.find('agent-chat-panel .panel').checkVisibility({ visibilityProperty: true }));
  }

  const cover = `<style>#cover { position: fixed; inset: 0; z-index: ${highest}; background: rgb(0 0 0 / 0.4); }</style>
    <div id="cover"></div>`;
  const places: Record<string, string> = {
    'before it in the page': `${cover}<chat-here></chat-here>`,
    'after it in the page': `<chat-here></chat-here>${cover}`,
    'and its number is taken from it': `<style>agent-chat::part(layer) { z-index: -1 !important; }</style><chat-here></chat-here>${cover}`,
    'and it stands in a corner of the page that is clipped, filtered and under all else': `<div style="position:absolute;z-index:0;top:0;left:0;width:50px;height:50px;overflow:hidden;filter:blur(0);transform:translate(0);contain:paint"><chat-here></chat-here></div>${cover}`,
  };
  for (const [where, html] of Object.entries(places)) {
    it(`can be used with the pointer although a cover with the maximum z-index is ${where}`, async () => {
      await visit(html);
      let hits = 0;
      page.querySelector('#cover')?.addEventListener('pointerdown', () => (hits += 1));
      await useByPointer();
      expect(hits).to.equal(0);
      // the cover is a real one: all around the chat it takes the press
      await sendMouse({ type: 'click', position: [20, 20] });
      expect(hits).to.equal(1);
    });
  }

  for (const kind of ['manual', 'auto'] as const) {
    it(`is not hidden by a full-screen popover (${kind}) of the page`, async () => {
      await visit(
        `<chat-here></chat-here><div id="overlay" popover="${kind}" style="${screenful}">Sale</div>`,
      );
      overlay().showPopover();
      await nothingCovers();
      // shown once more, it is met once more
      overlay().hidePopover();
      overlay().showPopover();
      await nothingCovers();
      expect(overlay().matches(':popover-open')).to.equal(true);
      await useByPointer();
    });
  }

  it('keeps draft, caret, text and scroll position when a full-screen popover shows during an answer', async () => {
    await visit(`<chat-here></chat-here><div id="overlay" popover="manual" style="${screenful}"></div>`);
    await chat.open();
    chat.say('Tell me slowly');
    await until(() => chat.lastAnswer.includes('Line 20'));
    chat.composer.focus();
    chat.write('A draft that must stay');
    chat.composer.setSelectionRange(2, 7);
    const scroller = chat.find('agent-chat-transcript .scroller');
    const { left, top: edge } = scroller.getBoundingClientRect();
    await turnWheel({ x: left + 100, y: edge + 100 }, -200);
    let top = -1;
    await until(() => {
      const before = top;
      top = scroller.scrollTop;
      return top === before;
    });
    overlay().showPopover();
    await nothingCovers();
    expect(focusedElement()).to.equal(chat.composer);
    expect(chat.composer.value).to.equal('A draft that must stay');
    expect([chat.composer.selectionStart, chat.composer.selectionEnd]).to.deep.equal([2, 7]);
    expect(scroller.scrollTop).to.equal(top);
    await until(() => chat.lastAnswer.includes('Line 40'));
    expect(scroller.scrollTop).to.equal(top);
  });

  it('stays below a small popover of the page, a menu or a hint', async () => {
    await visit(
      '<chat-here></chat-here><div id="menu" popover style="inset:auto 60px 300px auto;width:200px;height:120px;margin:0">Menu</div>',
    );
    await chat.open();
    const menu = page.querySelector<HTMLElement>('#menu')!;
    menu.showPopover();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { left, top } = menu.getBoundingClientRect();
    expect(document.elementFromPoint(left + 20, top + 20)).to.equal(menu);
  });

  it('lets no wheel scroll the page while it floats, and chains it to the page in place', async () => {
    await visit('<p style="height:3000px">Strings</p><chat-here></chat-here>');
    await chat.open();
    const parts = ['agent-chat-header', 'agent-chat-transcript', 'agent-chat-composer textarea'];
    const scrolledBy = async (part: string): Promise<number> => {
      const { left, top, width, height } = chat.find(part).getBoundingClientRect();
      await turnWheel({ x: left + width / 2, y: top + height / 2 }, 120);
      // a wheel takes its frames; one that goes nowhere cannot be waited for otherwise
      await new Promise((resolve) => setTimeout(resolve, 400));
      const by = scrollY;
      scrollTo(0, 0);
      return by;
    };
    for (const formType of ['float', 'fullscreen-overlay']) {
      chat.host.setAttribute('form-type', formType);
      await chat.host.updateComplete;
      await chat.still();
      for (const part of parts) expect(await scrolledBy(part), `${formType} ${part}`).to.equal(0);
    }
    chat.host.setAttribute('form-type', 'custom');
    page.prepend(chat.host);
    await until(() => chat.composer.checkVisibility());
    for (const part of parts) expect(await scrolledBy(part), `in place ${part}`).to.be.above(50);
  });
});
