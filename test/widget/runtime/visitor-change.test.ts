import { expect } from '@open-wc/testing';
import { ChatFixture, RunService, until } from '../chat-fixture.ts';

// The page signs another visitor in while something of the former one is on its way.
describe('another visitor', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(async () => {
    service = new RunService();
    chat = ChatFixture.begin({ visitor: 'ann' });
    await chat.open();
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  async function changeVisitor(): Promise<void> {
    chat.host.setAttribute('visitor', 'ben');
    await until(() => chat.host.conversation?.messages.length === 0 && chat.turns.length === 0);
  }

  it('sends nothing that waits for the page in the former one’s name', async () => {
    chat.say('First');
    await chat.answered(1);
    let letGo = (): void => undefined;
    chat.host.addEventListener(
      'agent-chat-message-submit',
      (event) => event.waitUntil(new Promise<void>((resolve) => (letGo = resolve))),
      { once: true },
    );
    chat.say('Ann’s secret');
    await until(() => chat.texts('agent-chat-visitor-message').length === 2);
    await changeVisitor();
    letGo();
    chat.say('Hello');
    await until(() => chat.lastAnswer === 'Fine.');
    expect(service.items.map(({ text }) => text)).to.deep.equal(['First', 'Hello']);
    expect(chat.composer.value).to.equal('');
  });

  it('is the same one where the page sets the first visitor late', async () => {
    chat.remove();
    chat = ChatFixture.begin();
    await chat.open();
    let letGo = (): void => undefined;
    chat.host.addEventListener('agent-chat-message-submit', (event) =>
      event.waitUntil(new Promise<void>((resolve) => (letGo = resolve))),
    );
    chat.say('First');
    await chat.shows('agent-chat-visitor-message');
    chat.host.setAttribute('visitor', 'ann');
    await chat.host.updateComplete;
    letGo();
    await until(() => chat.lastAnswer === 'Fine.');
    expect(service.items.map(({ text }) => text)).to.deep.equal(['First']);
  });

  it('does not get the files that the former one attached', async () => {
    let finish = (_id: string): void => undefined;
    let report = (_share: number): void => undefined;
    chat.host.uploadDocument = (_file, { onProgress }) => {
      report = onProgress;
      return new Promise<string>((resolve) => (finish = resolve));
    };
    await chat.shows('agent-chat-composer input[type=file]');
    const picker = chat.find<HTMLInputElement>('agent-chat-composer input[type=file]');
    const files = new DataTransfer();
    files.items.add(new File(['x'], 'ann.txt'));
    picker.files = files.files;
    picker.dispatchEvent(new Event('change'));
    await until(() => chat.texts('agent-chat-attachments').join().includes('ann.txt'));
    chat.say('About this file');
    await until(() => chat.texts('agent-chat-composer').join().includes('upload'));
    chat.host.setAttribute('visitor', 'ben');
    await until(() => chat.composer.value === '');
    report(0.5); // a page that does not look at the signal
    finish('0c9ac1c2-0000-4000-8000-00000000000a');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(service.posted).to.have.length(0);
    expect(chat.texts('agent-chat-attachments').join()).to.equal('');
  });
});
