import { expect } from '@open-wc/testing';
import { deepAll, settled, show, button } from '../item-fixture.ts';
import { pixel } from '../samples.ts';

describe('media', () => {
  it('loads files from the service and allowed origins, others after a click', async () => {
    const policy = {
      baseUrl: location.origin,
      images: ['data:', 'https://cdn.example'],
      media: ['https://cdn.example/any'],
      frames: ['https://maps.example'],
    };
    const harness = await show(
      [
        { response_type: 'image', source: pixel, alt_text: 'A dot' },
        { response_type: 'image', source: 'https://evil.example/leak?secret' },
        { response_type: 'video', source: 'https://evil.example/v.mp4' },
        { response_type: 'iframe', source: 'https://maps.example/embed', title: 'Map' },
        { response_type: 'iframe', source: 'https://evil.example/' },
      ],
      { policy },
    );
    expect(deepAll<HTMLImageElement>(harness, 'img').map(({ alt }) => alt)).to.deep.equal(['A dot']);
    expect(deepAll(harness, 'video')).to.have.length(0);
    const frames = deepAll<HTMLIFrameElement>(harness, 'iframe');
    expect(frames.map(({ src }) => src)).to.deep.equal(['https://maps.example/embed']);
    expect(frames[0]?.getAttribute('sandbox'))
      .to.contain('allow-scripts')
      .and.not.to.contain('allow-top-navigation');
    button(harness, 'Load video from evil.example').click();
    await settled(harness);
    expect(deepAll(harness, 'video, .notice').length).to.be.greaterThan(0);
  });

  it('shows a picture inside the message after a click that names no host', async () => {
    const harness = await show([{ response_type: 'image', source: pixel, alt_text: 'A dot' }]);
    button(harness, 'Show image A dot').click();
    await settled(harness);
    expect(deepAll<HTMLImageElement>(harness, 'img').map(({ alt }) => alt)).to.deep.equal(['A dot']);
  });
});
