import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { LightboxElement } from '../../../../src/widget/content/media/lightbox.ts';
import { ChatFixture, focusedElement, freshItems, RunService, until } from '../../chat-fixture.ts';
import { pixel } from '../samples.ts';

describe('a picture over the whole page', () => {
  let service: RunService;
  let chat: ChatFixture;

  beforeEach(async () => {
    service = new RunService(() =>
      freshItems([{ response_type: 'image', source: pixel, alt_text: 'A dot' }]),
    );
    chat = ChatFixture.begin({}, { allowed_origins: { images: ['data:'] } });
    await chat.open();
    chat.say('Show me');
    await chat.shows('agent-chat-image img');
    // the panel may still be coming in, and take the focus for its field
    await until(async () => {
      chat.find('agent-chat-image button.enlarge').focus();
      await sendKeys({ press: 'Enter' });
      return chat.all('agent-chat-lightbox').length > 0;
    });
    await chat.shows('agent-chat-lightbox dialog[open]');
  });
  afterEach(() => {
    chat.remove();
    service.stop();
  });

  const zoom = (): string => chat.find('agent-chat-lightbox').style.getPropertyValue('--_zoom');

  it('is opened by the keyboard and closed with Escape, which leaves the chat open', async () => {
    expect(chat.find('agent-chat-lightbox dialog').ariaLabel).to.equal('A dot');
    expect(chat.find<HTMLImageElement>('agent-chat-lightbox img').referrerPolicy).to.equal('no-referrer');
    expect(chat.find('agent-chat-image button.enlarge').ariaHasPopup).to.equal('dialog');
    await sendKeys({ press: 'Escape' });
    await chat.shows('agent-chat-lightbox', 0);
    expect(chat.host.open).to.equal(true);
    await until(() => focusedElement() === chat.find('agent-chat-image button.enlarge'));
  });

  it('grows with + and by two fingers, and fits again with 0', async () => {
    await sendKeys({ press: '+' });
    await until(() => zoom() === '1.25');
    await sendKeys({ press: '0' });
    await until(() => zoom() === '1');
    const stage = chat.find('agent-chat-lightbox .stage');
    const finger = (type: string, pointerId: number, clientX: number): void => {
      stage.dispatchEvent(new PointerEvent(type, { pointerId, clientX, bubbles: true }));
    };
    finger('pointerdown', 1, 100);
    finger('pointerdown', 2, 200);
    finger('pointermove', 2, 400);
    expect(zoom()).to.equal('3');
    finger('pointerup', 1, 100);
    finger('pointermove', 2, 900);
    expect(zoom()).to.equal('3');
  });

  it('grows around the middle by keys, and around the pointer by the wheel', async () => {
    const lightbox = chat.find<LightboxElement>('agent-chat-lightbox');
    lightbox.source = Object.assign(document.createElement('canvas'), {
      width: 3000,
      height: 2000,
    }).toDataURL();
    const picture = chat.find<HTMLImageElement>('agent-chat-lightbox img');
    await until(() => picture.naturalWidth === 3000);
    const shareAt = (x: number, y: number): number[] => {
      const box = picture.getBoundingClientRect();
      return [(x - box.x) / box.width, (y - box.y) / box.height];
    };
    const expectShare = (x: number, y: number, [across = 0, down = 0]: readonly number[]): void => {
      expect(shareAt(x, y)[0]).to.be.closeTo(across, 0.01);
      expect(shareAt(x, y)[1]).to.be.closeTo(down, 0.01);
    };
    for (const zoomed of ['1.25', '1.5625', '1.953125']) {
      await sendKeys({ press: '+' });
      await until(() => zoom() === zoomed);
    }
    expectShare(innerWidth / 2, innerHeight / 2, [0.5, 0.5]);
    const [x, y] = [innerWidth * 0.7, innerHeight * 0.6] as const;
    const before = shareAt(x, y);
    const event = { deltaY: -100, ctrlKey: true, clientX: x, clientY: y, bubbles: true, cancelable: true };
    chat.find('agent-chat-lightbox .stage').dispatchEvent(new WheelEvent('wheel', event));
    expectShare(x, y, before);
  });
});
