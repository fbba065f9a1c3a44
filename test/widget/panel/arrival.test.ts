import { expect } from '@open-wc/testing';
import { ChatFixture, RunService, focusedElement, freshTurn, until } from '../chat-fixture.ts';

describe('an answer that arrives while the chat is closed', () => {
  let service: RunService;
  let chat: ChatFixture;

  beforeEach(async () => {
    service = new RunService(() =>
      freshTurn(['Two berths **fit** 11 m. See [the plan](https://a.example).']),
    );
    chat = ChatFixture.begin({ heading: 'Harbour Help' });
    await chat.open();
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  const arrive = async (): Promise<void> => {
    await chat.host.hide();
    await chat.host.send('Is a berth free?');
    await chat.shows('agent-chat-arrival button.open');
  };

  it('shows its beginning beside the launcher, and opens the chat', async () => {
    await arrive();
    expect(chat.texts('agent-chat-arrival .name')).to.deep.equal(['Harbour Help']);
    expect(chat.texts('agent-chat-arrival .text')).to.deep.equal(['Two berths fit 11 m. See the plan.']);
    expect(chat.texts('.badge')).to.deep.equal(['1']);
    chat.find('agent-chat-arrival button.open').click();
    await until(() => chat.host.open);
    await chat.shows('agent-chat-arrival', 0);
  });

  it('is dismissed with Escape, which returns focus to the launcher; the count stays', async () => {
    await arrive();
    const open = chat.find('agent-chat-arrival button.open');
    open.focus();
    open.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    await chat.shows('agent-chat-arrival', 0);
    expect(focusedElement()?.className).to.contain('launcher');
    expect(chat.texts('.badge')).to.deep.equal(['1']);
  });

  it('is announced once, as a new message', async () => {
    await arrive();
    await until(() => chat.texts('[aria-live=polite]').join() === '1 new message');
    expect(chat.all('agent-chat-arrival [aria-live], agent-chat-arrival [role=status]')).to.deep.equal([]);
  });

  it('is shown no more after a reload', async () => {
    await arrive();
    chat.remove();
    const next = new ChatFixture();
    next.host.setAttribute('agent-id', 'a');
    next.host.setAttribute('token', 't');
    document.body.append(next.host);
    await until(() => next.host.conversation);
    await until(() => next.texts('.badge').join() === '1');
    expect(next.all('agent-chat-arrival')).to.deep.equal([]);
    next.remove();
  });
});
