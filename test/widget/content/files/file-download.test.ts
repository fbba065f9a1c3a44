import { expect } from '@open-wc/testing';
import { deepAll, show, textOf } from '../item-fixture.ts';

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
});
