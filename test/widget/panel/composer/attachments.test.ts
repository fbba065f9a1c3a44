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

  for (const dir of ['ltr', 'rtl'])
    it(`shows the buttons of a document that failed, in a narrow row: ${dir}`, async () => {
      const files = ['plan.txt', 'bad.txt'].map((name) => new File(['x'], name));
      const all = (state: 'uploading' | 'failed'): unknown => files.map((file) => ({ file, state }));
      const host = await fixture<HTMLElement>(html`
        <div dir=${dir} style="width: 190px">
          <agent-chat-attachments .attachments=${all('uploading')}></agent-chat-attachments>
        </div>
      `);
      const list = host.querySelector('agent-chat-attachments') as AttachmentsElement;
      await list.updateComplete;
      Object.assign(list, { attachments: all('failed') });
      await list.updateComplete;
      const row = list.renderRoot.querySelector('ul')!.getBoundingClientRect();
      const buttons = [...list.renderRoot.querySelectorAll('li:last-child button')];
      expect(buttons).to.have.length(2);
      for (const { left, right } of buttons.map((button) => button.getBoundingClientRect())) {
        expect(left).to.be.at.least(row.left);
        expect(right).to.be.at.most(row.right + 0.5);
      }
    });
});
