import { expect } from '@open-wc/testing';
import { ChatFixture, RunService, freshTurn, until } from '../chat-fixture.ts';

describe('a visitor who has to sign in', () => {
  let service: RunService;
  let chat: ChatFixture;
  let isSignedIn: boolean;

  beforeEach(() => {
    isSignedIn = false;
    service = new RunService(() =>
      isSignedIn ? freshTurn(['Welcome back.']) : Response.json({}, { status: 401 }),
    );
    chat = ChatFixture.begin();
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  const ask = async (): Promise<void> => {
    await chat.open();
    chat.say('My bookings');
    await until(() => chat.button('Sign in'));
  };

  it('is sent to the page, which repeats the turn when it has signed the visitor in', async () => {
    const asked: string[] = [];
    chat.host.addEventListener('agent-chat-action', (event) => {
      event.preventDefault();
      asked.push(event.name);
    });
    await ask();
    chat.button('Sign in').click();
    await until(() => chat.button('Retry'));
    expect(asked).to.deep.equal(['sign_in']);
    isSignedIn = true;
    await chat.host.retry();
    expect(chat.lastAnswer).to.equal('Welcome back.');
  });

  it('repeats the turn at once when the page does not take part', async () => {
    await ask();
    isSignedIn = true;
    chat.button('Sign in').click();
    await chat.answered(1);
    expect(chat.lastAnswer).to.equal('Welcome back.');
  });
});
