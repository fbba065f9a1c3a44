import { expect } from '@open-wc/testing';
import { ChatFixture, RunService, until } from '../chat-fixture.ts';

describe('agent-chat-connection-change', () => {
  const service = new RunService();
  let chat: ChatFixture;
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'onLine');
    chat.remove();
    service.stop();
  });

  it('tells the page that a chat is opened offline, as does its state', async () => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    chat = ChatFixture.begin();
    const changes: string[] = [];
    chat.host.addEventListener('agent-chat-connection-change', ({ connection }) => changes.push(connection));
    const isOffline = (): boolean => chat.host.matches(':state(offline)');
    await chat.open();
    await until(isOffline);
    Reflect.deleteProperty(navigator, 'onLine');
    dispatchEvent(new Event('online'));
    await until(() => !isOffline());
    expect(changes).to.deep.equal(['offline', 'idle']);
  });
});
