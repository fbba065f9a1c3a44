import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { emulatePhone, endEmulation, touch } from '../../emulation.ts';
import { ChatFixture, fill, focusedElement, freshTurn, RunService, until } from '../../chat-fixture.ts';

describe('editing the last message', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(async () => {
    service = new RunService(({ message }) => freshTurn([message.content[0]?.text ?? '']));
    chat = ChatFixture.begin();
    await chat.open();
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  const editorOf = (): HTMLTextAreaElement =>
    chat.find<HTMLTextAreaElement>('agent-chat-visitor-message textarea');

  /** Sends a message and opens its editor. */
  async function edit(message: string): Promise<HTMLTextAreaElement> {
    chat.say(message);
    await chat.answered(1);
    chat.button('Edit').click();
    await until(() => focusedElement() === editorOf());
    return editorOf();
  }

  it('the last message can be edited, and the edit replaces it', async () => {
    fill(await edit('Good evning'), 'Good evening');
    await sendKeys({ press: 'Enter' });
    await until(() => chat.lastAnswer === 'Good evening');
    expect(chat.texts('agent-chat-visitor-message').join()).to.contain('Good evening');
    expect(chat.turns).to.have.length(1);
    expect(service.posted).to.have.length(2);
  });

  it('the pencil is in view on a message that was not sent', async () => {
    service.reply = () => Response.json({ detail: 'no' }, { status: 422 });
    chat.say('Too much');
    await until(() => chat.texts('agent-chat-visitor-message').join().includes('Not sent'));
    await until(() => getComputedStyle(chat.button('Edit')).opacity === '1');
  });

  it('on a touch screen, a finger that rests on the message opens its menu: copy and edit; the pencil waits for a tap', async () => {
    await emulatePhone(390, 700);
    chat.say('Good evning');
    await chat.answered(1);
    const pencil = chat.button('Edit');
    expect([getComputedStyle(pencil).opacity, getComputedStyle(pencil).pointerEvents]).to.deep.equal([
      '0',
      'none',
    ]);
    const box = chat.find('agent-chat-visitor-message .block').getBoundingClientRect();
    const at = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    await touch('touchStart', at);
    await touch('touchEnd');
    await until(() => getComputedStyle(pencil).opacity === '1');
    expect(getComputedStyle(pencil).pointerEvents).to.equal('auto');
    const copied: string[] = [];
    const isOpen = () => chat.all('agent-chat-message-menu').length > 0;
    navigator.clipboard.writeText = (text) => Promise.resolve(void copied.push(text));
    await touch('touchStart', at);
    await until(() => focusedElement()?.textContent?.trim() === 'Copy');
    await touch('touchEnd');
    expect(isOpen()).to.equal(true); // the finger that goes does not close it
    await sendKeys({ press: 'Enter' });
    await until(() => focusedElement()?.textContent?.trim() === 'Copied');
    await until(() => !isOpen());
    expect(copied).to.deep.equal(['Good evning']);
    await touch('touchStart', at);
    await until(isOpen);
    await touch('touchEnd');
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    await until(() => focusedElement() === editorOf());
    expect(isOpen()).to.equal(false);
    expect(editorOf().value).to.equal('Good evning');
  });

  it('the menu of the message stands beside it on a page with a zoom, too', async () => {
    await emulatePhone(390, 700);
    document.documentElement.style.setProperty('zoom', '0.6');
    chat.say('Good evning');
    await chat.answered(1);
    const slides = chat.find('agent-chat-turn').shadowRoot?.getAnimations() ?? [];
    await Promise.all(slides.map(({ finished }) => finished));
    const box = chat.find('agent-chat-visitor-message .block').getBoundingClientRect();
    await touch('touchStart', { x: box.left + box.width / 2, y: box.top + box.height / 2 });
    await until(() => focusedElement()?.textContent?.trim() === 'Copy');
    await touch('touchEnd');
    const menu = chat.find('agent-chat-message-menu').getBoundingClientRect();
    document.documentElement.style.removeProperty('zoom');
    expect(menu.right).to.be.closeTo(box.right, 1);
    expect(menu.top - box.bottom).to.be.within(0, 10);
  });

  it('Enter on Cancel, or while an input method composes, sends no edit', async () => {
    const editor = await edit('Good evning');
    fill(editor, 'Good evening');
    const keys = { bubbles: true, composed: true, cancelable: true };
    editor.dispatchEvent(new KeyboardEvent('keydown', { ...keys, key: 'Enter', keyCode: 229 }));
    editor.dispatchEvent(
      new KeyboardEvent('keydown', { ...keys, key: 'Escape', isComposing: true, keyCode: 229 }),
    );
    await chat.host.updateComplete;
    expect(editorOf().value).to.equal('Good evening');
    await sendKeys({ press: 'Tab' });
    expect(focusedElement()).to.equal(chat.button('Cancel'));
    await sendKeys({ press: 'Enter' });
    await until(() => focusedElement() === chat.button('Edit'));
    expect(chat.texts('agent-chat-visitor-message').join()).to.contain('Good evning');
    expect(service.posted).to.have.length(1);
  });

  it('an edit that is too long is reported and not sent', async () => {
    fill(await edit('Short'), 'x'.repeat(100_020));
    await until(() => chat.texts('agent-chat-visitor-message').join().includes('Too long by 20 characters'));
    await sendKeys({ press: 'Enter' });
    await until(() => editorOf().ariaInvalid === 'true');
    fill(editorOf(), 'Shorter');
    await sendKeys({ press: 'Enter' });
    await until(() => chat.lastAnswer === 'Shorter');
    expect(service.posted).to.have.length(2);
  });

  it('an edit is sent as a new message if newer messages arrived meanwhile', async () => {
    fill(await edit('First'), 'First, said otherwise');
    chat.say('Second');
    await chat.answered(2);
    editorOf().focus();
    await sendKeys({ press: 'Enter' });
    await until(() => chat.lastAnswer === 'First, said otherwise');
    expect(chat.texts('agent-chat-visitor-message .block')).to.deep.equal([
      'First',
      'Second',
      'First, said otherwise',
    ]);
    expect(service.posted).to.have.length(3);
  });
});
