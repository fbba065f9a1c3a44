import { expect, fixture, html } from '@open-wc/testing';
import { StepsElement } from '../../../../src/widget/panel/transcript/steps.ts';

customElements.define('even-steps', class extends StepsElement {});

for (const target of ['24px', '44px'])
  it(`rows that can be opened look like the others, with targets of ${target}`, async () => {
    const step = { name: 'find_boat', agentName: 'Harbour Help', status: 'done' };
    const steps = [
      { ...step, id: '1' },
      { ...step, id: '2', output: 'C 14' },
    ];
    const element = await fixture<StepsElement>(
      html`<even-steps .run=${{ steps }} style="--_target: ${target}; --_size-small: 13px"></even-steps>`,
    );
    element.renderRoot.querySelector<HTMLElement>('.toggle')?.click();
    await element.updateComplete;
    const [plain, opens] = [...element.renderRoot.querySelectorAll('[part=step]')].map((row) => ({
      height: row.getBoundingClientRect().height,
      width: row.querySelector('.name')?.getBoundingClientRect().width ?? 0,
    }));
    expect(plain?.height).to.be.closeTo(opens?.height ?? 0, 1);
    expect(plain?.height).to.be.at.least(parseFloat(target) - 1);
    expect(plain?.width).to.be.closeTo(opens?.width ?? 0, 0.5);
  });

describe('the step of a call that the visitor decides', () => {
  const question = { items: [{ id: 'call-1' }], answers: {} };
  const answered = (action: string) => ({ ...question, answers: { 'call-1': { action, data: {} } } });
  for (const [what, answers, open, mark] of [
    ['is to do while they can decide', [question], true, 'to do'],
    ['is done once they have approved', [answered('submit')], false, 'done'],
    ['is stopped once they have declined', [answered('cancel')], false, 'stopped'],
    ['is done when it was decided elsewhere', [question], false, 'done'],
    ['is done when it asks nothing', [], true, 'done'],
  ] as const)
    it(what, async () => {
      const steps = [{ id: 'call-1', name: 'book_berth', status: 'done' }];
      const element = await fixture<StepsElement>(
        html`<even-steps .run=${{ steps }} .answers=${answers} .open=${open}></even-steps>`,
      );
      element.renderRoot.querySelector<HTMLElement>('.toggle')?.click();
      await element.updateComplete;
      const label = element.renderRoot.querySelector('[part=step] .visually-hidden');
      expect(label?.textContent).to.equal(mark);
    });
});

it('an error that is the result is shown once', async () => {
  const step = {
    id: '1',
    name: 'weigh_anchor',
    status: 'failed',
    output: 'It is stuck.',
    error: 'It is stuck.',
  };
  const element = await fixture<StepsElement>(html`<even-steps .run=${{ steps: [step] }}></even-steps>`);
  element.renderRoot.querySelector<HTMLElement>('.toggle')?.click();
  await element.updateComplete;
  expect(element.renderRoot.querySelectorAll('pre')).to.have.length(1);
});

it('steps are not drawn again for events of the run that do not concern them', async () => {
  const run = { steps: [], thinking: 'The tide table.', plan: [] };
  const element = await fixture<StepsElement>(html`<even-steps .run=${run}></even-steps>`);
  element.run = { ...run, ...{ lastEventId: '2-0' } };
  expect(element.isUpdatePending).to.equal(false);
  element.run = { ...run, thinking: 'The tide table. High water' };
  expect(element.isUpdatePending).to.equal(true);
});
