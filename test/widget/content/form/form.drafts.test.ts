import { expect } from '@open-wc/testing';
import { ChatFixture, fill, freshItems, RunService, until } from '../../chat-fixture.ts';
import { formItem } from '../../../tools/rich-answer.ts';

describe('unsent input of a form', () => {
  let service: RunService;
  let chat: ChatFixture;
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  /** All that the page's origin keeps, as one text. */
  const kept = (): string => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);

  async function fillIn(storage: string): Promise<void> {
    service = new RunService(() =>
      freshItems([formItem({ properties: { boat: { type: 'string', title: 'Boat' } } })]),
    );
    chat = ChatFixture.begin({ storage });
    await chat.open();
    chat.say('A form, please');
    await chat.shows('agent-chat-form input');
    fill(chat.field('Boat'), 'Albatros');
  }

  it('is stored, and deleted with the conversation', async () => {
    await fillIn('session');
    await until(() => kept().includes('Albatros'));
    await chat.host.newThread();
    await until(() => !kept().includes('Albatros'));
  });

  it('is not stored where storage is off', async () => {
    await fillIn('none');
    dispatchEvent(new PageTransitionEvent('pagehide'));
    await chat.host.hide();
    expect(kept()).to.equal('[{},{}]');
  });
});
