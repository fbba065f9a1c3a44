import { expect } from '@open-wc/testing';
import { ChatFixture, freshTurn, RunService, streamOf, until } from '../../chat-fixture.ts';

// A turn that has just begun slides in and gets space to grow; one that is read again does not.
describe('a turn that has just begun', () => {
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(async () => {
    service = new RunService(() => freshTurn(['An ', 'answer.']));
    chat = ChatFixture.begin();
    await chat.open();
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  it('gets space to grow, a restored one does not', async () => {
    chat.say('Question');
    await chat.answered(1);
    expect(chat.find('agent-chat-turn').className).to.include('pinned');
    const { threadId } = service;
    const [question] = service.posted;
    const answer = { role: 'assistant', content: [{ response_type: 'text', id: '1', text: 'An answer.' }] };
    const stored = [
      { ...question?.message, id: 'question' },
      { ...answer, id: 'answer' },
    ].map((message) => ({
      ...message,
      run_id: crypto.randomUUID(),
    }));
    service.other = ({ url }) => {
      if (!url.pathname.endsWith('/messages')) return undefined;
      return Response.json({ messages: url.pathname.includes(threadId) ? stored : [] });
    };
    await chat.host.setThread(crypto.randomUUID());
    await until(() => chat.turns.length === 0);
    await chat.host.setThread(threadId);
    await until(() => chat.lastAnswer === 'An answer.');
    for (const { className } of chat.turns) expect(className).not.to.match(/pinned|entering/);
  });

  it('shares its space with an answer that comes without a question: nothing moves', async () => {
    chat.say('First question');
    await chat.answered(1);
    chat.say('Second question');
    await chat.answered(2);
    await chat.still();
    const question = (): DOMRect => chat.all('agent-chat-visitor-message')[1]!.getBoundingClientRect();
    const { top } = question();
    for (const count of [3, 4]) {
      await chat.host.send('Not shown', { silent: true });
      await chat.answered(count);
      await chat.still();
      expect(question().top).to.be.closeTo(top, 0.5);
    }
  });

  it('slides in while its question waits for the answer', async () => {
    service.reply = () => streamOf(freshTurn(['An ', 'answer.']), { pauseMs: 250 });
    chat.say('Question');
    await until(() => chat.find('agent-chat-turn').classList.contains('entering'));
    await until(() => chat.lastAnswer === 'An answer.');
  });
});
