import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { emptyConversation } from '../../../src/conversation/conversation.ts';
import type { SessionState } from '../../../src/session/index.ts';
import type { Config } from '../../../src/widget/config/config-table.ts';
import { PanelRequest } from '../../../src/widget/events/panel-request.ts';
import { defineComponents } from '../../../src/widget/panel/define-components.ts';
import type { HeaderElement } from '../../../src/widget/panel/header.ts';
import type { WelcomeElement } from '../../../src/widget/panel/transcript/welcome.ts';
import type { PanelElement } from '../../../src/widget/panel/panel.ts';
import { panelConfig } from './panel-fixture.ts';

defineComponents();

/** A panel with an empty conversation. */
async function openPanel(config: Partial<Config> = {}): Promise<PanelElement> {
  const view = { conversation: emptyConversation, turns: [], run: undefined, begunRunId: undefined };
  const session: SessionState = { connection: 'idle', canStop: false, busy: false, history: 'none' };
  const panel = { ...panelConfig, config: { ...panelConfig.config, ...config } };
  return fixture<PanelElement>(
    html`<agent-chat-panel open .panel=${panel} .view=${view} .session=${session}></agent-chat-panel>`,
  );
}

/** What header, welcome page and the dialog's description say about who answers. */
async function disclosureOf(panel: PanelElement): Promise<(string | undefined)[]> {
  const header = panel.renderRoot.querySelector<HeaderElement>('agent-chat-header');
  await header?.updateComplete;
  await panel.transcript?.updateComplete;
  const welcome = panel.transcript?.renderRoot.querySelector<WelcomeElement>('agent-chat-welcome');
  await welcome?.updateComplete;
  const id = panel.frame?.getAttribute('aria-describedby');
  return [
    header?.renderRoot.querySelector('[part=disclosure-mark]')?.textContent,
    welcome?.renderRoot.querySelector('[part=disclosure]')?.textContent,
    id ? panel.renderRoot.querySelector(`#${id}`)?.textContent : undefined,
  ];
}

describe('<agent-chat-panel>', () => {
  it('announces a new chat', async () => {
    const panel = await openPanel();
    panel.renderRoot
      .querySelector('agent-chat-header')
      ?.dispatchEvent(new PanelRequest({ kind: 'new-thread' }));
    await waitUntil(() => panel.liveRegion?.textContent);
    expect(panel.liveRegion?.textContent).to.equal('New chat started.');
  });

  it('says that an AI answers, unless the page sets otherwise', async () => {
    const ai = 'You are chatting with an AI assistant.';
    expect(await disclosureOf(await openPanel())).to.deep.equal(['AI', ai, ai]);
    const mixed = 'An AI assistant answers first; people can join.';
    expect(await disclosureOf(await openPanel({ disclosure: 'mixed' }))).to.deep.equal(['AI', mixed, mixed]);
    const human = 'People answer here.';
    expect(await disclosureOf(await openPanel({ disclosure: 'human' }))).to.deep.equal([
      undefined,
      human,
      human,
    ]);
    expect(await disclosureOf(await openPanel({ disclosure: 'off' }))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
