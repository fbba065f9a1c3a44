import { expect, fixture, html } from '@open-wc/testing';
import { resetMouse, sendMouse } from '@web/test-runner-commands';
import { StepsElement } from '../../../../src/widget/panel/transcript/steps.ts';

customElements.define('hovered-steps', class extends StepsElement {});

it('the light that passes over a line of work has the colour of its ground, also under the pointer', async () => {
  const steps = await fixture<StepsElement>(
    html`<hovered-steps
      .run=${{ steps: [], thinking: 'The tide table.' }}
      work="Looking"
      style="--_surface: rgb(255, 255, 255); --_hover: rgb(0, 128, 0)"
    ></hovered-steps>`,
  );
  const line = steps.renderRoot.querySelector('.line')!;
  const light = (): string => getComputedStyle(line, '::after').backgroundImage;
  await resetMouse();
  expect(light()).to.contain('1 1 1 / 0.72');
  const { left, top } = line.getBoundingClientRect();
  await sendMouse({ type: 'move', position: [Math.round(left) + 5, Math.round(top) + 5] });
  expect(light()).not.to.contain('1 1 1 / 0.72');
  await resetMouse();
});
