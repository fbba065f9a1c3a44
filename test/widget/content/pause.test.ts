import { expect } from '@open-wc/testing';
import { deepAll, messageOf, show, waitFor } from './item-fixture.ts';

describe('<agent-chat-pause>', () => {
  it('delays the items after it for its duration', async () => {
    const harness = await show([
      { response_type: 'pause', time: 400, typing: true },
      { response_type: 'system', title: 'after the pause' },
    ]);
    const [, second] = deepAll(harness, 'agent-chat-item');
    expect(getComputedStyle(second!).display).to.equal('none');
    await waitFor(() => getComputedStyle(second!).display !== 'none');
  });

  it('delays nothing in a message from the history or from an earlier page', async () => {
    const sources = [
      { response_type: 'pause', time: 9000 },
      { response_type: 'system', title: 'after the pause' },
    ];
    const createdAt = Date.now();
    for (const message of [
      messageOf({ createdAt, id: 'stored', messageId: 'stored' }),
      messageOf({ createdAt: performance.timeOrigin - 1 }),
    ]) {
      const harness = await show(sources, { message });
      expect(getComputedStyle(deepAll(harness, 'agent-chat-item')[1]!).display).not.to.equal('none');
    }
  });
});
