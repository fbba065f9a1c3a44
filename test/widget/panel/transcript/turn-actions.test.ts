import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createMessage } from '../../../../src/conversation/factories.ts';
import type { Feedback } from '../../../../src/conversation/index.ts';
import type { PanelRequest } from '../../../../src/widget/events/panel-request.ts';
import { createStrings } from '../../../../src/widget/i18n/strings.ts';
import { ja } from '../../../../src/widget/i18n/locales/ja.ts';
import { TurnActionsElement } from '../../../../src/widget/panel/transcript/turn-actions.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';

defineElement('agent-chat-turn-actions', TurnActionsElement);

describe('<agent-chat-turn-actions>', () => {
  const item = { id: '1', type: 'text', text: 'Fine.', source: {} };

  // first: the form is not registered yet
  it('counts a bad rating where the form cannot be had, and says thanks', async () => {
    const judged: Feedback[] = [];
    const element = await fixture<TurnActionsElement>(
      html`<agent-chat-turn-actions
        .items=${[item]}
        .reasons=${['Wrong']}
        @agent-chat-request=${({ request }: PanelRequest) =>
          request.kind === 'feedback' && judged.push(request.feedback)}
        @agent-chat-diagnostic=${(event: Event) => event.preventDefault()}
      ></agent-chat-turn-actions>`,
    );
    const { define } = customElements;
    customElements.define = () => {
      throw new TypeError('the network is away');
    };
    try {
      const bad = element.renderRoot.querySelector<HTMLElement>('[aria-label="Bad answer"]');
      bad?.click();
      await waitUntil(() => element.renderRoot.querySelector('.thanks'));
      expect(element.shadowRoot?.activeElement).to.equal(bad);
      expect(judged).to.deep.equal([{ is_positive: false, text: '', selected_categories: [] }]);
    } finally {
      customElements.define = define;
    }
  });

  it('offers to copy again in a chat that was moved just after a copy', async () => {
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { write: () => Promise.resolve() },
    });
    try {
      const element = await fixture<TurnActionsElement>(
        html`<agent-chat-turn-actions .items=${[item]}></agent-chat-turn-actions>`,
      );
      const label = (): string | null | undefined => element.renderRoot.querySelector('button')?.ariaLabel;
      expect(label()).to.equal('Copy');
      element.renderRoot.querySelector('button')?.click();
      await waitUntil(() => label() === 'Copied');
      const parent = element.parentElement!;
      element.remove();
      parent.append(element);
      await waitUntil(() => label() === 'Copy', undefined, { timeout: 5000 });
    } finally {
      Reflect.deleteProperty(navigator, 'clipboard'); // the prototype has the real one
    }
  });

  it('sends negative feedback at once, its reasons with the form, and nothing when the form is closed', async () => {
    const judged: Feedback[] = [];
    const element = await fixture<TurnActionsElement>(
      html`<agent-chat-turn-actions
        .items=${[item]}
        .reasons=${['Wrong']}
        @agent-chat-request=${({ request }: PanelRequest) => {
          if (request.kind !== 'feedback') return;
          judged.push(request.feedback);
          element.answer = {
            ...createMessage({ id: '1', role: 'assistant', status: 'complete', runKey: '1', createdAt: 1 }),
            messageState: { content: { 1: { feedback: request.feedback } } },
          };
        }}
      ></agent-chat-turn-actions>`,
    );
    const press = (label: string): void =>
      element.renderRoot.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.click();
    const question = (): ShadowRoot | null | undefined =>
      element.renderRoot.querySelector('agent-chat-feedback-form')?.shadowRoot;
    press('Bad answer');
    expect(judged).to.deep.equal([{ is_positive: false, text: '', selected_categories: [] }]);
    await waitUntil(() => question()?.querySelector('form'));
    expect(element.renderRoot.querySelector('.thanks')).to.equal(null);
    question()?.querySelector<HTMLElement>('[type=button]')?.click();
    press('Bad answer');
    await waitUntil(() => question()?.querySelector('form'));
    expect(judged).to.have.length(1);
    question()?.querySelector<HTMLElement>('[name=reason]')?.click();
    question()?.querySelector<HTMLElement>('[type=submit]')?.click();
    expect(judged.slice(1)).to.deep.equal([{ is_positive: false, text: '', selected_categories: ['Wrong'] }]);
    await element.updateComplete;
    expect(element.renderRoot.querySelector('.thanks')).not.to.equal(null);
  });

  it('breaks no word on the buttons of the form in a narrow panel', async () => {
    const box = await fixture(
      html`<div style="inline-size: 240px">
        <agent-chat-turn-actions .items=${[item]} .words=${createStrings('ja', ja)}></agent-chat-turn-actions>
      </div>`,
    );
    const { renderRoot } = box.querySelector<TurnActionsElement>('agent-chat-turn-actions')!;
    renderRoot.querySelector<HTMLElement>(`[aria-label="${ja['feedback.bad']}"]`)?.click();
    const form = (): ShadowRoot | null | undefined =>
      renderRoot.querySelector('agent-chat-feedback-form')?.shadowRoot;
    await waitUntil(() => form()?.querySelector('form'));
    for (const button of form()?.querySelectorAll('.buttons button') ?? []) {
      const words = document.createRange();
      words.selectNodeContents(button);
      expect(words.getBoundingClientRect().height, button.textContent).to.be.lessThan(30);
    }
  });
});
