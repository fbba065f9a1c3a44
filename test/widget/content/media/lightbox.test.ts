import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
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
});
