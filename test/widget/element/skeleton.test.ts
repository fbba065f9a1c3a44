import { expect } from '@open-wc/testing';
import { ChatFixture, until } from '../chat-fixture.ts';

describe('the panel’s skeleton', () => {
  let chat: ChatFixture;
  beforeEach(() => (chat = ChatFixture.begin({ 'primary-color': '#8a1538' })));
  afterEach(() => chat.remove());

  it('stands in the panel’s place from the click until its code has loaded', async () => {
    void chat.host.show();
    await chat.host.updateComplete;
    const skeleton = chat.find('.skeleton');
    expect(getComputedStyle(skeleton).backgroundImage).to.contain('rgb(138, 21, 56)');
    const { top, right, width, height } = skeleton.getBoundingClientRect();
    await until(() => chat.all('.panel').length > 0);
    await chat.shows('.skeleton', 0);
    await chat.still();
    const panel = chat.find('.panel').getBoundingClientRect();
    expect([top, right, width, height]).to.deep.equal([panel.top, panel.right, panel.width, panel.height]);
  });
});
