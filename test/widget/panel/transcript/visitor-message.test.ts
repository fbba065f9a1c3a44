import { expect, fixture, html } from '@open-wc/testing';
import { createMessage } from '../../../../src/conversation/factories.ts';
import { sentFiles } from '../../../../src/widget/panel/sent-files.ts';
import { SentFilesListElement } from '../../../../src/widget/panel/transcript/sent-files-list.ts';
import { VisitorMessageElement } from '../../../../src/widget/panel/transcript/visitor-message.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';
import { axeFaults, deepAll, textOf, waitFor as until } from '../../content/item-fixture.ts';

defineElement('agent-chat-visitor-message', VisitorMessageElement);
defineElement('agent-chat-sent-files-list', SentFilesListElement);

async function showMessage(documentIds: readonly string[]): Promise<VisitorMessageElement> {
  const blank = createMessage({
    id: '1',
    role: 'user',
    status: 'sent',
    runKey: undefined,
    createdAt: 1,
  });
  const element = await fixture<VisitorMessageElement>(
    html`<agent-chat-visitor-message .message=${{ ...blank, documentIds }}></agent-chat-visitor-message>`,
  );
  await element.renderRoot.querySelector<SentFilesListElement>('agent-chat-sent-files-list')?.updateComplete;
  return element;
}

async function picture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(8, 4);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser draws nothing');
  context.fillStyle = '#f00';
  context.fillRect(0, 0, 8, 4);
  return canvas.convertToBlob();
}

const thumbnails = (element: Element): HTMLCanvasElement[] => deepAll<HTMLCanvasElement>(element, 'canvas');

describe('<agent-chat-visitor-message> with documents', () => {
  before(async () => {
    sentFiles
      .set('a', new File([await picture()], 'boat.png'))
      .set('b', new File(['x'.repeat(1200)], 'plan \u202Eexe.pdf'))
      .set('c', new File(['no picture'], 'broken.png'));
  });
  after(() => sentFiles.clear());

  it('shows a tile with type, name and size for each that was sent from this page', async () => {
    const element = await showMessage(['a', 'b']);
    await until(() => thumbnails(element).length === 1);
    const [boat, plan] = deepAll(element, '.file').map(textOf);
    expect(boat).to.match(/^boat\.png PNG · \d+ byte$/);
    expect(plan).to.equal('PDF plan exe.pdf 1.2 kB');
    expect(deepAll(element, 'ul')[0]?.getAttribute('aria-label')).to.equal('2 documents attached');
    expect(element.renderRoot.querySelector('.documents')).to.equal(null);
    expect(await axeFaults(element)).to.deep.equal([]);
  });

  it('shows a short name beside its thumbnail', async () => {
    const element = await showMessage(['a']);
    for (const size of ['small', 'tiny']) element.style.setProperty(`--_size-${size}`, '12px');
    const [type, name] = deepAll(element, '.file')[0]!.children;
    expect(name?.getBoundingClientRect().left).to.be.at.least(type!.getBoundingClientRect().right);
  });

  it('draws the thumbnail of each of two equal pictures with one id', async () => {
    const element = await showMessage(['a', 'a']);
    await until(() => thumbnails(element).length === 2);
  });

  it('draws the thumbnail of a picture without an address', async () => {
    const element = await showMessage(['a']);
    await until(() => thumbnails(element).length === 1);
    const pixels = thumbnails(element)[0]?.getContext('2d')?.getImageData(57, 57, 1, 1).data;
    expect([...(pixels ?? [])]).to.deep.equal([255, 0, 0, 255]);
    expect(textOf(deepAll(element, '.file')[0]!)).to.match(/^boat\.png PNG · \d+ byte$/);
    expect(deepAll(element, 'img')).to.have.length(0);
  });

  it('shows the type in place of a damaged picture', async () => {
    const element = await showMessage(['c', 'a']);
    await until(() => thumbnails(element).length === 1);
    expect(textOf(deepAll(element, '.file')[0]!)).to.equal('PNG broken.png 10 byte');
  });

  it('counts those from another page', async () => {
    const element = await showMessage(['a', 'x']);
    expect(textOf(element.renderRoot.querySelector('.documents')!)).to.equal('2 documents attached');
    expect(deepAll(element, '.file')).to.have.length(0);
  });
});

describe('<agent-chat-visitor-message> with text', () => {
  it('gives each paragraph the direction of its own language', async () => {
    const message = createMessage({
      id: '1',
      role: 'user',
      status: 'sent',
      runKey: undefined,
      createdAt: 1,
    });
    const displayText = 'שלום עולם, מה שלומך?\nOK.';
    const element = await fixture<VisitorMessageElement>(
      html`<agent-chat-visitor-message .message=${{ ...message, displayText }}></agent-chat-visitor-message>`,
    );
    const box = element.renderRoot.querySelector('p')!.getBoundingClientRect();
    const text = [...element.renderRoot.querySelector('p')!.childNodes].find((node) => node instanceof Text)!;
    const edges = [0, displayText.indexOf('OK')].map((start) => {
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, start + 1);
      return range.getBoundingClientRect();
    });
    expect(edges[0]?.right).to.be.closeTo(box.right, 1);
    expect(edges[1]?.left).to.be.closeTo(box.left, 1);
  });
});
