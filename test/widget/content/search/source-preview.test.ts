import { expect, waitUntil } from '@open-wc/testing';
import { sendKeys, sendMouse, resetMouse } from '@web/test-runner-commands';
import { axeFaults, deep, deepAll, settled, show, textOf, type ItemHarness } from '../item-fixture.ts';

const text = 'It is free until Sunday. Take C 14.';
const item = {
  response_type: 'conversational_search',
  text,
  citations: [
    {
      title: 'Plan',
      text: 'C 14 is free.',
      url: 'https://harbour.example/p',
      ranges: [{ start: 0, end: 24 }],
    },
    { title: 'Map', text: 'The gate is near.', ranges: [{ start: 25, end: text.length }] },
    { title: 'Fees' },
  ],
};

/** What the preview shows; undefined while it is closed. */
function shownBy(harness: ItemHarness): string | undefined {
  const preview = deep(harness, '.preview');
  return preview.matches(':popover-open') ? textOf(preview) : undefined;
}

async function pointAt(element: Element, pointerType = 'mouse'): Promise<void> {
  if (pointerType === 'mouse') {
    const { x, y, width, height } = element.getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.round(x + width / 2), Math.round(y + height / 2)] });
    return;
  }
  element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true, pointerType }));
}

const sources = (harness: ItemHarness): HTMLElement[] => deepAll(harness, '.source');
const marks = (harness: ItemHarness): HTMLElement[] => deepAll(harness, 'button[part=citation-mark]');

describe('the preview of a source', () => {
  afterEach(() => resetMouse());

  it('shows with keyboard focus at once, of sources and of markers', async () => {
    const harness = await show([item]);
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => marks(harness)[0]?.matches(':focus-visible'));
    await settled(harness);
    expect(shownBy(harness)).to.equal('Plan C 14 is free. harbour.example');
    for (let tab = 0; tab < 3; tab += 1) await sendKeys({ press: 'Tab' });
    await settled(harness);
    expect(sources(harness)[1]?.matches(':focus')).to.equal(true);
    expect(shownBy(harness)).to.equal('Map The gate is near.');
    expect(await axeFaults(harness)).to.deep.equal([]);
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => shownBy(harness) === undefined, 'a source with nothing more to tell');
  });

  it('is dismissed by Escape alone, and comes back with the focus', async () => {
    const harness = await show([item]);
    let heard = 0;
    harness.addEventListener('keydown', ({ key }) => (heard += Number(key === 'Escape')));
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => shownBy(harness)?.startsWith('Plan'));
    await sendKeys({ press: 'Escape' });
    await settled(harness);
    expect([shownBy(harness), heard]).to.deep.equal([undefined, 0]);
    expect(marks(harness)[0]?.matches(':focus')).to.equal(true);
    await sendKeys({ press: 'Escape' });
    expect(heard).to.equal(1);
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => shownBy(harness)?.startsWith('Map'));
  });

  it('shows under the pointer, can be moved into, and goes when the pointer has left', async () => {
    const harness = await show([item]);
    await pointAt(sources(harness)[0]!);
    await waitUntil(() => shownBy(harness)?.startsWith('Plan'));
    await pointAt(deep(harness, '.preview'));
    await pointAt(deep(harness, '.preview .words'));
    expect(shownBy(harness)).to.contain('C 14');
    await sendMouse({ type: 'move', position: [0, 0] });
    await waitUntil(() => shownBy(harness) === undefined);
  });

  it('under the pointer is dismissed by Escape wherever the focus is', async () => {
    const harness = await show([item]);
    await pointAt(marks(harness)[1]!);
    await waitUntil(() => shownBy(harness)?.startsWith('Map'));
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => shownBy(harness) === undefined);
  });

  it('does not show what is open already, nor under a finger', async () => {
    const harness = await show([item]);
    await pointAt(sources(harness)[0]!, 'touch');
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => shownBy(harness)?.startsWith('Plan'), 'the focus, later than the finger');
    await sendKeys({ press: 'Enter' });
    await settled(harness);
    expect([shownBy(harness), textOf(deep(harness, '.excerpt .words'))]).to.deep.equal([
      undefined,
      'C 14 is free.',
    ]);
    await sendKeys({ press: 'Escape' });
    await settled(harness);
    expect(deepAll(harness, '.excerpt')).to.have.length(0);
    expect(marks(harness)[0]?.matches(':focus')).to.equal(true);
    expect(shownBy(harness)).to.equal(undefined);
  });
});
