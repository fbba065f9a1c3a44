import { expect } from '@open-wc/testing';
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

describe('a page that is left', () => {
  it('saves a message that waits until it is known whether other tabs exist', async () => {
    const service = new RunService(() => freshTurn(['An answer.']));
    const { locks } = navigator;
    const query = locks.query.bind(locks);
    locks.query = () => new Promise(() => undefined);
    const chat = ChatFixture.begin({ storage: 'local' });
    try {
      await chat.open();
      chat.say('Said just before');
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
      for (let microtask = 0; microtask < 20; microtask += 1) await undefined; // a page that is closed does nothing later
      const key = Object.keys(localStorage).find((name) => name.endsWith(' conversation')) ?? '';
      expect(localStorage.getItem(key) ?? '').to.contain('Said just before');
    } finally {
      locks.query = query;
      chat.remove();
      service.stop();
      localStorage.clear();
    }
  });
});
