import { expect } from '@open-wc/testing';
import { deep, deepAll, show, textOf } from '../item-fixture.ts';

const deepBox = (root: Element, selector: string): DOMRect => deep(root, selector).getBoundingClientRect();

describe('<agent-chat-file-download>', () => {
  it('shows the type and size of a file, and the thumbnail of a picture from an allowed origin', async () => {
    const policy = { baseUrl: location.origin, images: ['https://cdn.example'], media: [], frames: [] };
    const files = [
      { url: 'https://files.example/plan.pdf', fileName: 'Berth plan.pdf', size: 1_234_567 },
      { url: 'https://cdn.example/quay.jpg', fileName: 'Quay.jpg' },
      { url: 'https://files.example/other.jpg', fileName: 'Other.jpg' },
    ];
    const harness = await show([{ response_type: 'file_download', files }], { policy });
    const [plan, quay, other] = deepAll(harness, '.file').map(textOf);
    expect(plan).to.contain('PDF').and.contain('1.2 MB · files.example');
    expect(quay).not.to.contain('JPG');
    expect(other).to.contain('JPG');
    expect(deepAll<HTMLImageElement>(harness, 'img').map(({ src }) => src)).to.deep.equal([files[1]?.url]);
  });

  it('gives a name room for whole words, however narrow the chat is', async () => {
    const files = [{ url: 'https://files.example/plan.pdf', fileName: 'harbour-plan.pdf' }];
    const harness = await show([{ response_type: 'file_download', files }]);
    for (const width of [120, 280]) {
      harness.style.inlineSize = `${width}px`;
      const [tile, type, name] = ['.file', '.type', '.name'].map((part) => deepBox(harness, part));
      expect(name?.width, `${width} px`).to.be.at.least(60);
      expect(name?.right, `${width} px`).to.be.at.most(tile?.right ?? 0);
      expect((name?.top ?? 0) >= (type?.bottom ?? 0), `${width} px`).to.equal(width === 120);
    }
  });
});
