import { expect } from '@open-wc/testing';
import { executeServerCommand } from '@web/test-runner-commands';

import { clippedHere } from '../../a11y/clipped.ts';
import { untilStill } from '../../a11y/stillness.ts';
import {
  ChatFixture,
  focusedElement,
  freshTurn,
  type RunService,
  streamOf,
  until,
  visibleRatio,
} from '../chat-fixture.ts';
import { axeFaultsBy, textOf } from '../content/item-fixture.ts';
import { demoService } from '../demo-service.ts';
import { emulateMedia, emulateWindow, endEmulation } from '../emulation.ts';
import { plainTurn } from '../../tools/wire-events.ts';
import { pressKeys, thisPage } from '../this-page.ts';

// A whole chat as assistive technology and its users meet it, with the answers of the demo agent.
describe('accessibility of a chat', function () {
  this.timeout(60_000);
  let service: RunService;
  let main: HTMLElement;
  let chat: ChatFixture;
  beforeEach(async () => {
    await emulateWindow(1280, 720);
    service = demoService();
    main = document.createElement('main');
    document.body.append(main);
  });
  afterEach(async () => {
    chat.remove();
    main.remove();
    service.stop();
    await endEmulation();
  });

  async function visit(attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    chat = ChatFixture.begin({ storage: 'none', ...attributes }, undefined, main);
    await chat.host.updateComplete;
  }

  /** Asks and waits for the end of the answer. */
  async function ask(text: string): Promise<void> {
    const ends = (): number => chat.all('agent-chat-turn-actions, agent-chat-notice').length;
    const before = ends();
    chat.say(text);
    await until(() => ends() > before);
  }

  /** Opens all disclosures. */
  async function unfold(): Promise<void> {
    const folded = (): HTMLElement[] => chat.all('agent-chat-steps .toggle[aria-expanded=false]');
    while (folded().length > 0) {
      folded()[0]?.click();
      await chat.host.updateComplete;
    }
  }

  async function check(state: string, part: Element = chat.host): Promise<void> {
    await untilStill(thisPage);
    expect(await axeFaultsBy(part), state).to.deep.equal([]);
  }

  it('axe finds no violation in any state of the panel', async () => {
    await visit({ heading: 'Harbour office' });
    await check('closed');
    await chat.open();
    await check('welcome');
    const { reply } = service;
    service.reply = () => streamOf(plainTurn(['I have to think.']).slice(0, 3), { staysOpen: true });
    chat.say('Wait');
    await until(() => chat.lastAnswer !== '' && chat.button('Stop'));
    await check('working');
    chat.button('Stop').click();
    await until(() => chat.button('Send'));
    service.reply = reply;
    for (const command of ['/tools', '/markdown', '/citations', '/fail', '/form']) {
      await ask(command);
      await unfold();
    }
    await until(() => chat.button('Announce'));
    await check('stopped, steps, tables, sources, failure, form');
    chat.button('Announce').click();
    await until(() => chat.find('[aria-invalid=true]'));
    await check('form with faults', chat.turns.at(-1));
  });

  // the default look is walked through above; all themes, layouts and states together: `npm run test:axe`
  it('axe finds no violation in a conversation and in the help: dark, fullscreen-overlay', async () => {
    await visit({ open: '', theme: 'dark', 'form-type': 'fullscreen-overlay' });
    await until(() => chat.composer);
    await ask('/tools');
    await ask('/interrupt');
    await unfold();
    await check('conversation');
    chat.composer.focus();
    await pressKeys('F6');
    await pressKeys('?');
    await until(() => chat.find('agent-chat-help'));
    await check('help');
  });

  it('axe finds no violation in any content item, answerable or answered', async () => {
    await visit({ open: '' });
    await until(() => chat.composer);
    await ask('/items');
    await check('answerable');
    await ask('Thank you');
    await check('answered');
  });

  /** The roles of all that is in the accessibility tree. */
  async function roles(): Promise<string[]> {
    const { nodes } = await executeServerCommand<Tree, unknown>('devtools', {
      method: 'Accessibility.getFullAXTree',
      parameters: {},
    });
    return nodes.filter(({ ignored }) => !ignored).map(({ role }) => String(role?.value));
  }

  it('a screen reader finds a formula as mathematics and hears no source of it', async () => {
    const heard = new Set<string>();
    await visit();
    service.reply = () => freshTurn(['Half is \\(\\frac{1}{2}\\), a root \\(\\sqrt{a+b}\\)']);
    await chat.open();
    const listener = new MutationObserver(() =>
      chat.texts('[aria-live=polite]').forEach((text) => heard.add(text)),
    );
    for (const live of chat.all('[aria-live=polite]'))
      listener.observe(live, { childList: true, characterData: true, subtree: true });
    await ask('What is it?');
    await chat.shows('.answer math', 2);
    await until(() => [...heard].some((text) => /said: Half is (1\/2|Formula), a root Formula$/.test(text)));
    listener.disconnect();
    expect(await roles()).to.include.members(['MathMLMath', 'MathMLFraction', 'MathMLSquareRoot']);
  });

  it('each item of a long list is a list item for screen readers', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `- Berth ${index + 1}`);
    await visit();
    service.reply = () => freshTurn([lines.join('\n')]);
    await chat.open();
    await ask('Which?');
    const found = await roles();
    expect(found.filter((role) => role === 'listitem')).to.have.length(lines.length);
    expect(found.filter((role) => role === 'list')).to.have.length(1);
  });

  it('the panel adds no page landmarks', async () => {
    const others = ['header', 'footer'].map((name) => document.createElement(name));
    document.body.append(...others);
    await visit({ open: '' });
    await until(() => chat.composer);
    await ask('/citations');
    await until(() => chat.button(/^Source 1/));
    chat.button(/^Source 1/).click();
    await until(() => focusedElement()?.matches('.excerpt'));
    const landmarks = (await roles()).filter((role) =>
      /^(banner|main|contentinfo|region|complementary)$/.test(role),
    );
    for (const other of others) other.remove();
    expect(landmarks.sort()).to.deep.equal(['banner', 'contentinfo', 'main']);
  });

  /** Controls smaller than 24 by 24 px whose 24 px circle touches another control. WCAG 2.5.8. */
  function smallTargets(): string[] {
    return chat.all('button, input, select, textarea, summary, [role=option]').flatMap((element) => {
      const label = element.matches('input') ? element.closest('label') : null;
      const box = (label ?? element).getBoundingClientRect();
      // a mark in a line of text reaches further than it is drawn
      const reach = getComputedStyle(element, '::after');
      const more = reach.position === 'absolute' ? Math.max(0, -parseFloat(reach.top)) * 2 : 0;
      if (box.width < 2 || element.matches('.help')) return [];
      const [width, height] = [box.width + more, box.height + more];
      return width < 23.9 || height < 23.9
        ? `${element.ariaLabel ?? textOf(element)} ${width}×${height}`
        : [];
    });
  }

  it('every control is at least 24 by 24 pixels', async () => {
    await visit();
    await chat.open();
    for (const command of ['/tools', '/items', '/form', '/code', '/citations']) {
      await ask(command);
      await unfold();
      expect(smallTargets()).to.deep.equal([]);
    }
    expect(chat.all('button').length).to.be.above(20);
  });

  const log = (): HTMLElement => chat.find('[role=log]');
  const inView = (element: Element): Promise<void> => until(async () => (await visibleRatio(element)) === 1);

  it('at 200 % and 400 % zoom everything is reachable and nothing scrolls sideways', async () => {
    await visit();
    await chat.open();
    await ask('/markdown');
    for (const zoom of [2, 4]) {
      await emulateWindow(1280 / zoom, 1024 / zoom);
      await inView(chat.composer);
      await inView(chat.find('agent-chat-composer .main'));
      const box = chat.find('.panel').getBoundingClientRect();
      expect(box.left).to.be.at.least(0);
      expect(box.top).to.be.at.least(0);
      expect(box.right).to.be.at.most(1280 / zoom + 1);
      expect(log().scrollWidth - log().clientWidth).to.be.at.most(1);
      expect(log().getBoundingClientRect().height).to.be.above(60);
      expect(clippedHere()).to.deep.equal([]);
    }
  });

  it('at 400 % on a laptop some lines stay visible while typing, and keys scroll to the rest', async () => {
    await visit({ conversations: 'on' });
    chat.host.header = { disclaimer: 'Answers can be wrong.' };
    const height = 162;
    await emulateWindow(341, height);
    await chat.open();
    await inView(chat.composer);
    await ask('/markdown');
    await inView(chat.composer);
    const footer = chat.find('[part=footer]').getBoundingClientRect();
    expect(footer.top - Math.max(0, log().getBoundingClientRect().top)).to.be.above(60);
    chat.composer.focus();
    await pressKeys('F6');
    await until(() => focusedElement() === chat.button('Conversations'));
    await inView(chat.button('Close'));
    chat.composer.focus();
    await inView(chat.composer);
    await pressKeys('Shift+F6');
    await pressKeys('?');
    await until(() => chat.find('agent-chat-help'));
    await inView(chat.find('agent-chat-help'));
    expect(chat.find('agent-chat-help').getBoundingClientRect().height).to.equal(height);
  });

  it('with forced colours focus, buttons and the visitor’s messages have visible borders', async () => {
    await emulateMedia({ 'forced-colors': 'active' });
    await visit();
    await chat.open();
    await ask('Hello');
    for (const part of [
      'agent-chat-composer .main',
      'agent-chat-visitor-message .block',
      'agent-chat-panel .panel',
    ])
      expect(getComputedStyle(chat.find(part)).borderTopStyle, part).to.equal('solid');
    chat.composer.focus();
    await pressKeys('Shift+F6');
    await until(() => focusedElement() === log());
    expect(getComputedStyle(log()).outlineStyle).to.equal('solid');
  });
});

/** The accessibility tree, as the browser tells it. */
interface Tree {
  readonly nodes: readonly { readonly ignored: boolean; readonly role?: { readonly value: unknown } }[];
}
