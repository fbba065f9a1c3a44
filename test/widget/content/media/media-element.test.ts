import { expect, waitUntil } from '@open-wc/testing';
import { focusedElement } from '../../chat-fixture.ts';
import { AnnounceEvent } from '../../../../src/widget/events/panel-events.ts';
import { button, deep, deepAll, itemOf, settled, show } from '../item-fixture.ts';
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

  it('has a player at once for a sound inside the message', async () => {
    const source = 'data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
    const harness = await show([{ response_type: 'audio', source }]);
    expect(deepAll<HTMLAudioElement>(harness, 'audio').map(({ src }) => src)).to.deep.equal([source]);
  });

  it('a file stays when its item comes again, and one that failed makes room for another', async () => {
    const harness = await show([{ response_type: 'image', source: { url: pixel }, alt_text: 'A dot' }]);
    button(harness, 'Show image A dot').click();
    await settled(harness);
    harness.items = [itemOf({ response_type: 'image', source: { url: pixel }, alt_text: 'A dot' })];
    await settled(harness);
    expect(deepAll(harness, 'img')).to.have.length(1);
    const missing = `${location.origin}/missing.png`;
    harness.items = [itemOf({ response_type: 'image', url: missing })];
    await waitUntil(() => deepAll(harness, '.notice').length > 0);
    harness.items = [itemOf({ response_type: 'image', url: pixel, alt_text: 'A dot' })];
    await settled(harness);
    expect(button(harness, 'Show image A dot')).to.be.instanceOf(HTMLElement);
  });

  it('focus moves from the button to the file, or to its link if it does not load, which is announced', async () => {
    const broken = `${location.origin}/missing.png`.replace('localhost', '127.0.0.1');
    const harness = await show([
      { response_type: 'image', source: pixel, alt_text: 'A dot' },
      { response_type: 'image', source: broken, alt_text: 'A quay' },
    ]);
    const heard: string[] = [];
    harness.addEventListener(AnnounceEvent.type, (event) => heard.push((event as AnnounceEvent).text));
    const shown = button(harness, 'Show image A dot');
    shown.focus();
    shown.click();
    await settled(harness);
    expect(focusedElement()).to.equal(deep(harness, '.enlarge'));
    const loaded = deep(harness, '.load');
    loaded.focus();
    loaded.click();
    await waitUntil(() => heard.length > 0);
    await settled(harness);
    expect(heard).to.deep.equal(['Image: Could not be loaded.']);
    expect(focusedElement()).to.equal(deep(harness, '.notice a'));
  });
});
