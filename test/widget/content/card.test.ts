import { expect } from '@open-wc/testing';
import { deep, show } from './item-fixture.ts';
import { pixel } from './samples.ts';

describe('<agent-chat-card>', () => {
  it('has a picture that comes first reach its edges', async () => {
    const policy = { baseUrl: location.origin, images: ['data:'], media: [], frames: [] };
    const picture = { response_type: 'image', source: pixel, alt_text: 'The quay' };
    const words = { response_type: 'text', text: 'Berth C 14' };
    const harness = await show([{ response_type: 'card', title: 'C 14', body: [picture, words] }], {
      policy,
    });
    const frame = deep(harness, 'article').getBoundingClientRect();
    const image = deep(harness, 'img').getBoundingClientRect();
    expect(image.left - frame.left).to.be.lessThan(1.5);
    expect(image.top - frame.top).to.be.lessThan(1.5);
    expect(frame.right - image.right).to.be.lessThan(1.5);
    const later = await show([{ response_type: 'card', body: [words, picture] }], { policy });
    const inside = deep(later, 'img').getBoundingClientRect().left;
    expect(inside - deep(later, 'article').getBoundingClientRect().left).to.be.greaterThan(10);
  });
});
