import { ContextProvider } from '@lit/context';
import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { emptyConversation } from '../../../src/conversation/conversation.ts';
import type { SessionState } from '../../../src/session/index.ts';
import { configContext, conversationContext, sessionContext } from '../../../src/widget/contexts.ts';
import { PanelRequest } from '../../../src/widget/events/panel-request.ts';
import { defineComponents } from '../../../src/widget/panel/define-components.ts';
import type { PanelElement } from '../../../src/widget/panel/panel.ts';
import { panelConfig } from './panel-fixture.ts';

defineComponents();

describe('<agent-chat-panel>', () => {
  it('announces a new chat', async () => {
    const view = { conversation: emptyConversation, turns: [], run: undefined, begunRunId: undefined };
    const session: SessionState = { connection: 'idle', canStop: false, busy: false, history: 'none' };
    const page = document.createElement('div');
    new ContextProvider(page, { context: configContext, initialValue: panelConfig });
    new ContextProvider(page, { context: conversationContext, initialValue: view });
    new ContextProvider(page, { context: sessionContext, initialValue: session });
    const panel = await fixture<PanelElement>(html`<agent-chat-panel open></agent-chat-panel>`, {
      parentNode: page,
    });
    panel.renderRoot
      .querySelector('agent-chat-header')
      ?.dispatchEvent(new PanelRequest({ kind: 'new-thread' }));
    await waitUntil(() => panel.liveRegion?.textContent);
    expect(panel.liveRegion?.textContent).to.equal('New chat started.');
  });
});
