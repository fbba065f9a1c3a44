import { expect } from '@open-wc/testing';
import { settled, show, textOf, button } from './item-fixture.ts';

describe('<agent-chat-connect-to-agent>', () => {
  it('says that nobody is available unless the page handles the handover', async () => {
    const source = {
      response_type: 'connect_to_agent',
      message_to_human_agent: 'She has a boat',
      agent_available: { message: 'Now' },
      agent_unavailable: { message: 'Office hours only' },
    };
    const untaken = await show([source]);
    button(untaken, 'Connect').click();
    await settled(untaken);
    expect(textOf(untaken)).to.contain('Office hours only');
    const taken = await show([source]);
    taken.addEventListener('agent-chat-item-action', (event) => event.preventDefault());
    button(taken, 'Connect').click();
    await settled(taken);
    expect(taken.actions[0]?.name).to.equal('connect_to_agent');
    expect(textOf(taken)).to.contain('You are being connected.');
  });
});
