import { expect, waitUntil } from '@open-wc/testing';
import { axeFaults, deep, settled, show, textOf, button } from './item-fixture.ts';

describe('<agent-chat-date>', () => {
  it('sends a date in ISO format and shows it in the visitor’s language', async () => {
    const harness = await show([{ response_type: 'date', title: 'When?' }]);
    button(harness, 'Send date').click();
    await settled(harness);
    expect(textOf(harness)).to.contain('Choose a date.');
    const input = deep<HTMLInputElement>(harness, 'input');
    expect(input.matches(':focus')).to.equal(true);
    input.value = '2026-11-30';
    button(harness, 'Send date').click();
    expect(harness.answers[0]?.message?.content).to.deep.equal([
      { response_type: 'text', text: '2026-11-30' },
    ]);
    expect(harness.answers[0]?.message?.message_state).to.deep.equal({
      input: { display_text: 'November 30, 2026' },
    });
  });

  it('has a calendar that is named for the question', async () => {
    const harness = await show([{ response_type: 'date', title: 'When?' }]);
    await waitUntil(() => deep(harness, 'agent-chat-calendar').shadowRoot?.querySelector('button'));
    expect(deep(deep(harness, 'agent-chat-calendar'), 'button').ariaLabel).to.equal('When? Choose a date.');
  });

  it('begins at the edge of its text, from right to left, too', async () => {
    const harness = await show([{ response_type: 'date', title: 'متى؟' }]);
    const input = deep<HTMLInputElement>(harness, 'input');
    expect(getComputedStyle(input).textAlign).to.equal('start');
    harness.dir = 'rtl';
    expect(getComputedStyle(input).textAlign).to.equal('right');
  });

  it('shows the description of a date beside its title', async () => {
    const harness = await show([{ response_type: 'date', title: 'When?', description: 'Weekdays only.' }]);
    expect(textOf(harness)).to.contain('When? Weekdays only.');
    const input = deep<HTMLInputElement>(harness, 'input');
    expect(input.getAttribute('aria-describedby')).to.equal('help');
    button(harness, 'Send date').click();
    await settled(harness);
    expect(input.getAttribute('aria-describedby')).to.equal('fault help');
    expect(await axeFaults(harness)).to.deep.equal([]);
    const answer = { action: 'choose', data: '2026-11-30' } as const;
    harness.context = { ...harness.context, answer };
    await settled(harness);
    expect(textOf(harness)).to.contain('Weekdays only.').and.to.contain('November 30, 2026');
  });
});
