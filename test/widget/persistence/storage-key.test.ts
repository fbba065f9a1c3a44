import { expect } from '@open-wc/testing';
import { ChatFixture, RunService, until } from '../chat-fixture.ts';

describe('the storage key of a chat', function () {
  this.timeout(20_000);

  it('is free once the agent has changed: another chat of the former agent is found again on the next page', async () => {
    const service = new RunService();
    const one = ChatFixture.begin({ 'agent-id': 'tides' });
    await one.open();
    one.say('Hello');
    await one.answered(1);
    one.host.setAttribute('agent-id', 'fees');
    await one.host.updateComplete;
    const chats = [one];
    const visit = async (): Promise<ChatFixture> => {
      const chat = new ChatFixture();
      for (const [name, value] of Object.entries({ 'agent-id': 'tides', token: 't', lang: 'en' }))
        chat.host.setAttribute(name, value);
      document.body.append(chat.host);
      chats.push(chat);
      await chat.open();
      return chat;
    };
    const other = await visit();
    expect(other.turns).to.have.length(0);
    other.say('When is high water?');
    await other.answered(1);
    for (const chat of chats) chat.remove(); // as if the page were left
    const later = await visit();
    await until(() => later.texts('agent-chat-visitor-message').join().includes('When is high water?'));
    for (const chat of chats) chat.remove();
    service.stop();
  });
});
