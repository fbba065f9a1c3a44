import { expect, fixture, html } from '@open-wc/testing';
import { createMessage } from '../../../../src/conversation/factories.ts';
import { documentNames } from '../../../../src/widget/panel/document-names.ts';
import { VisitorMessageElement } from '../../../../src/widget/panel/transcript/visitor-message.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';

defineElement('agent-chat-visitor-message', VisitorMessageElement);

async function documentsLine(documentIds: readonly string[]): Promise<string | undefined> {
  const blank = createMessage({ id: '1', role: 'user', status: 'sent', runKey: undefined, createdAt: 1 });
  const element = await fixture<VisitorMessageElement>(
    html`<agent-chat-visitor-message .message=${{ ...blank, documentIds }}></agent-chat-visitor-message>`,
  );
  return element.renderRoot.querySelector('.documents')?.textContent?.trim();
}

describe('<agent-chat-visitor-message> with documents', () => {
  before(() => void documentNames.set('a', 'boat.jpg').set('b', 'plan.pdf'));
  after(() => documentNames.clear());

  it('names those sent from this page', async () => {
    expect(await documentsLine(['a'])).to.equal('1 document attached: boat.jpg');
    expect(await documentsLine(['a', 'b'])).to.equal('2 documents attached: boat.jpg, plan.pdf');
  });

  it('counts those from another page', async () => {
    expect(await documentsLine(['a', 'x'])).to.equal('2 documents attached');
  });
});
