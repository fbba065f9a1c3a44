import { expect } from '@open-wc/testing';
import { axeFaults, deep, deepAll, settled, show, textOf, type ItemHarness } from './item-fixture.ts';

function ports(count: number): Readonly<Record<string, unknown>> {
  const options = Array.from({ length: count }, (_, index) => ({
    label: `Pörto ${String(index)}`,
    value: `port-${String(index)}`,
  }));
  return { response_type: 'option', title: 'Which port?', options };
}

async function search(harness: ItemHarness, words: string): Promise<HTMLInputElement> {
  const input = deep<HTMLInputElement>(harness, '[role=combobox]');
  input.value = words;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await settled(harness);
  return input;
}

async function press(input: HTMLInputElement, key: string): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true });
  input.dispatchEvent(event);
  await settled(input.getRootNode() instanceof ShadowRoot ? (input.parentElement ?? input) : input);
  return event;
}

const rows = (harness: ItemHarness): HTMLElement[] => deepAll(harness, '[role=option]');

describe('a long list of choices', () => {
  it('renders 50 of 10,000 choices, others on demand, with bounded work', async () => {
    await show([ports(60)]); // its code is loaded
    const before = performance.now();
    const harness = await show([ports(10_000)]);
    expect(performance.now() - before).to.be.lessThan(1500);
    expect(rows(harness)).to.have.length(50);
    expect(textOf(harness)).to.contain('10,000 matches').and.to.contain('Show 50 more');
    deepAll(harness, 'button')
      .find((one) => /more/.test(one.textContent))!
      .click();
    await settled(harness);
    expect(rows(harness)).to.have.length(100);
    expect(await axeFaults(harness)).to.deep.equal([]);
    const dark = await show([ports(60)], {}, 'dark');
    expect(await axeFaults(dark)).to.deep.equal([]);
  });

  it('finds choices by any word, without accents, and announces the number', async () => {
    const harness = await show([ports(2000)]);
    const said: string[] = [];
    harness.addEventListener('agent-chat-announce', (event) =>
      said.push((event as Event & { text: string }).text),
    );
    await search(harness, '1999 porto');
    expect(rows(harness).map((row) => row.textContent.trim())).to.deep.equal(['Pörto 1999']);
    expect(said).to.deep.equal(['1 match']);
    deep(harness, '[part=item-button]').click();
    expect(harness.answers.map(({ answer }) => answer.data)).to.deep.equal(['port-1999']);
  });

  it('can be answered with the keyboard alone', async () => {
    const harness = await show([ports(2000)]);
    const input = await search(harness, '77');
    await press(input, 'ArrowDown');
    await press(input, 'ArrowDown');
    const active = input.getAttribute('aria-activedescendant');
    expect(
      rows(harness)
        .find(({ id }) => id === active)
        ?.textContent.trim(),
    ).to.equal('Pörto 177');
    expect(rows(harness).filter(({ ariaSelected }) => ariaSelected === 'true')).to.have.length(1);
    expect((await press(input, 'Escape')).defaultPrevented).to.equal(true);
    await settled(harness);
    expect(input.value).to.equal('');
    expect((await press(input, 'Escape')).defaultPrevented).to.equal(false);
    await press(input, 'Enter');
    expect(harness.answers.map(({ answer }) => answer.data)).to.deep.equal(['port-177']);
  });

  it('keeps the search text when the item renders again', async () => {
    const harness = await show([ports(200)]);
    await search(harness, '19');
    harness.context = { ...harness.context };
    await settled(harness);
    expect(deep<HTMLInputElement>(harness, '[role=combobox]').value).to.equal('19');
    expect(rows(harness)).to.have.length(12);
  });
});
