import { expect, waitUntil } from '@open-wc/testing';
import { AnnounceEvent } from '../../../src/widget/events/panel-events.ts';
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

  it('shows the real host of a link whose name looks like another address', async () => {
    const label = async (name: string): Promise<string> => {
      const app = { name, status: 'expired', url: 'https://accounts.example/connect' };
      const shown = await show([{ response_type: 'disconnected_apps', disconnected_apps: [app] }]);
      return deepAll(shown, 'a')
        .map(({ textContent }) => textContent.replace(/[\u2066-\u2069]|, opens in a new tab/g, ''))
        .join();
    };
    expect(await label('mail.example.com')).to.equal('Connect mail.example.com (accounts.example)');
    expect(await label('accounts.example')).to.equal('Connect accounts.example');
  });

  it('shows an id that consists of words, and a number for apps without a name', async () => {
    const apps = [{ name: 'Mail' }, { id: 'google_calendar' }, { id: '7c9e6679-7425-40de' }, {}];
    const shown = await show([{ response_type: 'disconnected_apps', disconnected_apps: apps }]);
    expect(deepAll(shown, 'li .title').map(({ textContent }) => textContent)).to.deep.equal([
      'Mail',
      'Google calendar',
      'App 3',
      'App 4',
    ]);
    button(shown, 'Connect App 3');
  });

  it('says what to do where no page connects, and nothing where one does', async () => {
    const shown = await show([{ ...connection, title: 'Calendar', connection_status: 'expired' }]);
    const advice = () => deepAll(shown, '[part=item-notice]').map(({ textContent }) => textContent);
    shown.addEventListener('agent-chat-item-action', (event) => event.preventDefault(), { once: true });
    const heard: string[] = [];
    shown.addEventListener(AnnounceEvent.type, (event) => heard.push((event as AnnounceEvent).text));
    button(shown, 'Connect Calendar').click();
    button(shown, 'Connect Calendar').click();
    await waitUntil(() => advice().length > 0);
    expect(shown.actions).to.have.lengthOf(2);
    expect(advice()).to.deep.equal(['Nothing opened? Connect it in your account settings, then ask again.']);
    expect(heard).to.deep.equal(advice());
  });
});
