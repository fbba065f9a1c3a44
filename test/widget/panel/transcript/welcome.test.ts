import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { PanelConfig } from '../../../../src/widget/contexts.ts';
import { PanelRequest } from '../../../../src/widget/events/panel-request.ts';
import { WelcomeElement } from '../../../../src/widget/panel/transcript/welcome.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';
import { panelConfig } from '../panel-fixture.ts';
import { pixel } from '../../content/samples.ts';

defineElement('agent-chat-welcome', WelcomeElement);

async function welcome(options: Partial<PanelConfig> & { welcome?: string } = {}): Promise<ShadowRoot> {
  const panel = {
    ...panelConfig,
    ...options,
    config: { ...panelConfig.config, welcome: options.welcome ?? '' },
  };
  const element = await fixture<WelcomeElement>(
    html`<agent-chat-welcome .panel=${panel}></agent-chat-welcome>`,
  );
  return element.shadowRoot!; // Lit creates it
}

const text = (root: ShadowRoot, selector: string): string =>
  root.querySelector(selector)?.textContent?.trim() ?? '';

describe('<agent-chat-welcome>', () => {
  it('greets by the time of day, above the question', async () => {
    expect(text(await welcome(), 'h3')).to.match(/^Good (morning|afternoon|evening)\.\nHow can I help\?$/);
  });

  it('shows the page’s own welcome, with the greeting where the page wants it', async () => {
    expect(text(await welcome({ welcome: 'Ahoy!' }), 'h3')).to.equal('Ahoy!');
    const own = await welcome({ welcome: '{greeting}\nWhich boat?\n\nI know berths and tides.' });
    expect(text(own, 'h3')).to.match(/^Good \w+\.\nWhich boat\?$/);
    expect(text(own, 'p')).to.equal('I know berths and tides.');
  });

  it('right to left, starters in any language stand at the side where reading begins', async () => {
    const root = await welcome({ starters: [{ title: 'Tides', description: 'For today' }] });
    (root.host as HTMLElement).dir = 'rtl';
    expect(getComputedStyle(root.querySelector('.words')!).textAlign).to.equal('right');
  });

  it('keeps its picture on the header’s colour, also without starters', async () => {
    const page = await fixture<HTMLElement>(
      html`<div
        style="display:flex;flex-direction:column;height:500px;width:380px;container:transcript / size"
      ></div>`,
    );
    const top = async (options: Partial<PanelConfig>): Promise<number> => {
      const root = await welcome(options);
      page.replaceChildren(root.host);
      return root.querySelector('.avatar')!.getBoundingClientRect().top - page.getBoundingClientRect().top;
    };
    expect(await top({})).to.equal(await top({ starters: [{ title: 'Tides' }] }));
  });

  it('shows the agent’s letter, and a picture only from an allowed origin', async () => {
    expect(text(await welcome(), '.avatar')).to.equal('A');
    const foreign = await welcome({ header: { avatar: 'https://elsewhere.example/a.png' } });
    expect(foreign.querySelector('img')).to.equal(null);
    const policy = { ...panelConfig.policy, baseUrl: location.origin };
    const service = await welcome({ header: { avatar: '/a.png' }, policy });
    expect(service.querySelector('img')?.src).to.equal(`${location.origin}/a.png`);
    for (const avatar of [`${location.origin}/b.png`, pixel]) {
      const own = await welcome({ header: { avatar } });
      expect(own.querySelector('img')?.src).to.equal(avatar);
    }
  });

  it('hides a picture that cannot be loaded, until another one is', async () => {
    const root = await welcome({ header: { avatar: 'data:image/png;base64,AAAA' } });
    const element = root.host as WelcomeElement;
    const isShown = (): boolean => root.querySelector('img')!.checkVisibility({ visibilityProperty: true });
    await waitUntil(() => !isShown(), 'the broken picture is hidden');
    element.panel = { ...element.panel, header: { avatar: pixel } };
    await waitUntil(isShown, 'the picture is shown');
  });

  it('a double click on a starter asks once', async () => {
    const root = await welcome({ starters: [{ title: 'Tides' }, { title: 'Berths' }] });
    const asked: unknown[] = [];
    root.host.addEventListener(PanelRequest.type, (event) => asked.push((event as PanelRequest).request));
    const [tides, berths] = root.querySelectorAll('.starter');
    for (const detail of [1, 2]) tides?.dispatchEvent(new MouseEvent('click', { detail }));
    berths?.dispatchEvent(new MouseEvent('click', { detail: 0 })); // by a key
    expect(asked).to.deep.equal(['Tides', 'Berths'].map((title) => ({ kind: 'send', text: title })));
  });

  it('draws a starter’s icon from a path or shows its emoji, and none without one', async () => {
    const root = await welcome({
      starters: [{ title: 'Path', icon: 'M4 4h16' }, { title: 'Emoji', icon: '⚓' }, { title: 'None' }],
    });
    const icons = [...root.querySelectorAll('.starter')].map((starter) => starter.querySelector('.icon'));
    expect(icons[0]?.querySelector('path')?.getAttribute('d')).to.equal('M4 4h16');
    expect(icons[1]?.textContent?.trim()).to.equal('⚓');
    expect(icons[2]).to.equal(null);
  });
});
