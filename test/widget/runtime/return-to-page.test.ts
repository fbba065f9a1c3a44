import { ChatFixture, freshTurn, RunService, until } from '../chat-fixture.ts';

describe('a page that the browser shows again', () => {
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(() => {
    service = new RunService(() => freshTurn(['An answer.']));
    chat = ChatFixture.begin({ storage: 'session' });
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  it('shows the conversation that the page after it saves while it is left', async () => {
    await chat.open();
    chat.say('Said on this page');
    await chat.answered(1);
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    const key = Object.keys(sessionStorage).find((name) => name.endsWith(' conversation')) ?? '';
    const saved = sessionStorage.getItem(key) ?? '';
    sessionStorage.removeItem(key); // a new chat on the other page
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    setTimeout(() => sessionStorage.setItem(key, saved.replaceAll('this page', 'the other')), 40);
    await until(() => chat.texts('agent-chat-visitor-message').join().includes('Said on the other'));
  });
});
