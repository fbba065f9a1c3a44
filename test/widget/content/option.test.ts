import { expect } from '@open-wc/testing';
import { deep, settled, show, button, contextOf, textOf } from './item-fixture.ts';

describe('<agent-chat-option>', () => {
  it('has its list before it can be answered, so that nothing below moves then', async () => {
    const options = ['A', 'B'].map((label) => ({ label, value: { input: { text: label } } }));
    const list = await show([{ response_type: 'option', preference: 'dropdown', options }], {
      active: false,
    });
    const height = list.offsetHeight;
    const confirm = deep(list, 'button.main');
    expect(confirm.ariaDisabled).to.equal('true');
    confirm.click();
    expect(list.answers).to.have.length(0);
    list.context = contextOf();
    await settled(list);
    expect([list.offsetHeight, confirm.ariaDisabled]).to.deep.equal([height, null]);
  });

  it('has round ends by default, and the corners of all buttons where the page sets them', async () => {
    const harness = await show([{ response_type: 'option', options: [{ label: 'Tides', value: 'tides' }] }]);
    const corners = (): number => Number.parseFloat(getComputedStyle(button(harness, 'Tides')).borderRadius);
    harness.style.setProperty('--_radius', '10px');
    expect(corners() * 2).to.be.at.least(button(harness, 'Tides').offsetHeight);
    harness.style.setProperty('--_radius', '0px');
    expect(corners()).to.equal(0);
  });

  it('keeps its choices apart from the note that it is closed', async () => {
    const options = [{ label: 'Tides', value: 'tides' }];
    const harness = await show([{ response_type: 'option', options }], { active: false, closed: true });
    const note = deep(harness, '.description');
    expect(textOf(note)).to.equal('Closed: the conversation has moved on.');
    const { bottom } = button(harness, 'Tides').getBoundingClientRect();
    expect(note.getBoundingClientRect().top - bottom).to.be.at.least(6);
  });

  it('lets an option be chosen once, then shows the choice', async () => {
    const options = [
      { label: 'Series 3', value: '3' },
      { label: 'Series 5', value: { input: { text: 'the fifth' } } },
    ];
    const harness = await show([{ response_type: 'option', id: 'o', title: 'Which?', options }]);
    button(harness, 'Series 5').click();
    const [answer] = harness.answers;
    expect(answer?.answer).to.deep.equal({ action: 'choose', data: 'the fifth' });
    expect(answer?.message).to.deep.equal({
      role: 'user',
      parent_message_id: '5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10',
      content: [{ response_type: 'text', text: 'the fifth' }],
      message_state: { input: { display_text: 'Series 5' } },
    });
    harness.context = { ...harness.context, answer: answer?.answer };
    await settled(harness);
    expect(button(harness, 'Series 5').getAttribute('aria-pressed')).to.equal('true');
    button(harness, 'Series 3').click();
    expect(harness.answers).to.have.length(1);
    const list = await show([{ response_type: 'option', preference: 'dropdown', options }]);
    deep<HTMLSelectElement>(list, 'select').selectedIndex = 1;
    button(list, 'Choose').click();
    expect(list.answers[0]?.answer.data).to.equal('the fifth');
    const past = await show([{ response_type: 'option', options }], { active: false });
    button(past, 'Series 3').click();
    expect(past.answers).to.have.length(0);
  });
});
