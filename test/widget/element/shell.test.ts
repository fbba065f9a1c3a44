import { expect } from '@open-wc/testing';
import { ChatFixture, until } from '../chat-fixture.ts';

describe('the shell', () => {
  let chat: ChatFixture;
  beforeEach(() => (chat = ChatFixture.begin({ 'primary-color': '#8a1538', heading: 'Harbour office' })));
  afterEach(() => chat.remove());

  it('stands in the panel’s place from the click until its code has loaded', async () => {
    void chat.host.show();
    await chat.host.updateComplete;
    const shell = chat.find('.shell');
    expect(getComputedStyle(chat.find('.shell header')).backgroundColor).to.equal('rgb(138, 21, 56)');
    expect(chat.find('.shell b').textContent).to.equal('Harbour office');
    const { top, right, width, height } = shell.getBoundingClientRect();
    await until(() => chat.all('.panel').length > 0);
    await chat.shows('.shell', 0);
    await chat.still();
    const panel = chat.find('.panel').getBoundingClientRect();
    expect([top, right, width, height]).to.deep.equal([panel.top, panel.right, panel.width, panel.height]);
  });

  it('passes typed text on; the page’s shortcuts do not see it', async () => {
    const seen: string[] = [];
    const listen = ({ key }: KeyboardEvent): number => seen.push(key);
    addEventListener('keydown', listen);
    void chat.host.show();
    await chat.host.updateComplete;
    const field = chat.find<HTMLTextAreaElement>('.shell textarea');
    field.value = 'Typed early';
    for (const key of ['k', 'Tab'])
      field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
    removeEventListener('keydown', listen);
    expect(seen).to.deep.equal(['Tab']);
    await chat.shows('.shell', 0);
    expect(chat.find<HTMLTextAreaElement>('agent-chat-composer textarea').value).to.equal('Typed early');
  });

  it('gives way after a press whose end the page keeps from the window, as around a modal dialog', async () => {
    chat.host.addEventListener('pointerup', (event) => event.stopPropagation());
    void chat.host.show();
    await chat.host.updateComplete;
    const field = chat.find('.shell textarea');
    for (const type of ['pointerdown', 'pointerup'])
      field.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true }));
    await chat.shows('.shell', 0);
  });

  it('says that an AI answers, also in its name; not where only people do', async () => {
    void chat.host.show();
    await chat.host.updateComplete;
    const shell = chat.find('.shell');
    const mark = chat.find('.shell [part=disclosure-mark]');
    const told = (): (string | null)[] => [mark.textContent, shell.getAttribute('aria-label')];
    expect(told()).to.deep.equal(['AI', 'Harbour office, AI']);
    chat.host.heading = 'The harbour office of Westhaven and its neighbours on both sides';
    await chat.host.updateComplete;
    expect(mark.clientWidth).to.be.greaterThan(5);
    expect(mark.scrollWidth).to.equal(mark.clientWidth);
    chat.host.heading = 'Harbour office';
    chat.host.disclosure = 'human';
    await chat.host.updateComplete;
    expect(told()).to.deep.equal(['', 'Harbour office']);
  });
});
