import { expect } from '@open-wc/testing';
import { button, deepAll, show } from './item-fixture.ts';

const connection = { response_type: 'svc_connection_status' };

describe('<agent-chat-connection>', () => {
  it('offers to connect what needs attention, and nothing else', async () => {
    const expired = { ...connection, title: 'Calendar', connection_status: 'expired' };
    const shown = await show([expired]);
    button(shown, 'Connect Calendar').click();
    expect(shown.actions.map(({ name, detail }) => [name, detail])).to.deep.equal([['connect_app', expired]]);
    for (const connection_status of ['connected', 'pending'])
      expect(deepAll(await show([{ ...expired, connection_status }]), 'button')).to.have.lengthOf(0);
  });

  it('has a button without a name, and a link where the agent gives an address', async () => {
    button(await show([{ ...connection, connection_status: 'expired' }]), 'Connect');
    const url = 'https://accounts.example/connect';
    const linked = await show([{ ...connection, connection_status: 'expired', connect_url: url }]);
    expect(deepAll<HTMLAnchorElement>(linked, 'a').map(({ href }) => href)).to.deep.equal([url]);
  });
});
