import { aTimeout, expect } from '@open-wc/testing';
import { LiveAnnouncer } from '../../../src/widget/announcements/live-announcer.ts';

describe('announcements', () => {
  const { setTimeout: platformTimeout } = window;
  before(() => {
    const hurried = (callback: () => void, wait = 0): number => platformTimeout(callback, wait / 50);
    window.setTimeout = hurried as typeof window.setTimeout;
  });
  after(() => {
    window.setTimeout = platformTimeout;
  });

  let region: HTMLElement;
  beforeEach(() => {
    region = document.createElement('div');
    document.body.append(region);
  });
  afterEach(() => region.remove());

  it('leave the live region even if the chat is removed right after', async () => {
    const announcer = new LiveAnnouncer(() => region);
    announcer.announce('The answer is here');
    await aTimeout(2000);
    expect(region.textContent).to.equal('The answer is here');
    announcer.dispose();
    await aTimeout(8000);
    expect(region.textContent).to.equal('');
  });

  it('leave the live region on time while others follow', async () => {
    const announcer = new LiveAnnouncer(() => region);
    announcer.announce('First');
    await aTimeout(4000);
    announcer.announce('Second');
    await aTimeout(4000);
    expect(region.textContent).to.equal('Second');
  });

  it('are made when they are read out, and left out if there is nothing to say', async () => {
    const announcer = new LiveAnnouncer(() => region);
    let made = 0;
    announcer.announce(() => `made ${(made += 1)}`);
    announcer.announce(() => '');
    expect(made).to.equal(0);
    await aTimeout(2000);
    expect([...region.children].map(({ textContent }) => textContent)).to.deep.equal(['made 1']);
  });

  it('leave the region once they are outdated', async () => {
    const announcer = new LiveAnnouncer(() => region);
    const heard = (): unknown => [...region.children].map(({ textContent }) => textContent);
    announcer.announce('Sent');
    announcer.announce('Working on it', 'status');
    await aTimeout(2000);
    expect(heard()).to.deep.equal(['Sent', 'Working on it']);
    announcer.announce('No answer came', 'status');
    await aTimeout(2000);
    expect(heard()).to.deep.equal(['Sent', 'No answer came']);
    announcer.cancel('status');
    expect(heard()).to.deep.equal(['Sent']);
  });

  it('wait while the dialog around the chat is closed', async () => {
    const dialog = document.createElement('dialog');
    dialog.append(region);
    document.body.append(dialog);
    const announcer = new LiveAnnouncer(() => region);
    announcer.announce('Working on it', 'status');
    announcer.announce('The answer is here');
    await aTimeout(2000);
    announcer.cancel('status');
    announcer.announce('And another one');
    await aTimeout(2000);
    expect(region.textContent).to.equal('');
    region.style.height = '1px';
    dialog.show();
    await aTimeout(4000);
    expect([...region.children].map(({ textContent }) => textContent)).to.deep.equal([
      'The answer is here',
      'And another one',
    ]);
    dialog.remove();
  });
});
