import { expect, fixture, html } from '@open-wc/testing';
import { AttachmentsElement } from '../../../../src/widget/panel/composer/attachments.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';
import { emulateMedia, endEmulation } from '../../emulation.ts';

defineElement('agent-chat-attachments', AttachmentsElement);

describe('<agent-chat-attachments>', () => {
  afterEach(endEmulation);

  it('keeps the button of a chip off its edge in forced colours, and shows all of its focus ring', async () => {
    await emulateMedia({ 'forced-colors': 'active' });
    const attachments = [{ file: new File(['x'], 'invoice.pdf'), state: 'done', id: '1' }];
    const list = await fixture<AttachmentsElement>(
      html`<agent-chat-attachments .attachments=${attachments}></agent-chat-attachments>`,
    );
    const chip = list.renderRoot.querySelector('li')?.getBoundingClientRect();
    const button = list.renderRoot.querySelector('button');
    const box = button?.getBoundingClientRect();
    expect((chip?.right ?? 0) - (box?.right ?? 0)).to.be.at.least(2);
    expect((box?.top ?? 0) - (chip?.top ?? 0)).to.be.at.least(2);
    button?.focus({ focusVisible: true });
    expect(button && getComputedStyle(button).outlineOffset).to.equal('-2px');
  });
});
