import { expect, fixture, html } from '@open-wc/testing';
import { createMessage } from '../../../../src/conversation/factories.ts';
import type { RunStep } from '../../../../src/conversation/conversation.ts';
import type { Turn } from '../../../../src/conversation/turns.ts';
import { StepsElement } from '../../../../src/widget/panel/transcript/steps.ts';
import { TurnElement } from '../../../../src/widget/panel/transcript/turn.ts';
import { VisitorMessageElement } from '../../../../src/widget/panel/transcript/visitor-message.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';
import { deepAll, textOf } from '../../content/item-fixture.ts';
import { panelConfig } from '../panel-fixture.ts';

defineElement('agent-chat-visitor-message', VisitorMessageElement);
defineElement('agent-chat-steps', StepsElement);

describe('content that stays where it is', () => {
  it('speech keeps the width that its first word has', async () => {
    const message = createMessage({ id: '1', role: 'user', status: 'sent', runKey: undefined, createdAt: 1 });
    const element = await fixture<VisitorMessageElement>(
      html`<agent-chat-visitor-message style="container-type: inline-size"></agent-chat-visitor-message>`,
    );
    const lefts: number[] = [];
    for (const [text, final] of [
      ['When', false],
      ['When is high water', false],
      ['When is high water?', true],
    ] as const) {
      element.message = { ...message, transcription: { text, final } };
      await element.updateComplete;
      lefts.push(deepAll(element, '.block > p')[0]?.getBoundingClientRect().left ?? NaN);
    }
    expect(new Set(lefts).size).to.equal(1);
  });

  it('a step that comes after the reasoning stands below it', async () => {
    const step = (name: string): RunStep => ({ id: name, name, status: 'done' }) as RunStep; // all that is shown
    const element = await fixture<StepsElement>(
      html`<agent-chat-steps .run=${{ steps: [step('First')] }}></agent-chat-steps>`,
    );
    const rows = async (): Promise<string[]> => {
      await element.updateComplete;
      return deepAll(element, 'li').map((row) => textOf(row).replace('done', '').trim());
    };
    deepAll(element, '.toggle')[0]?.click();
    element.run = { ...element.run, thinking: 'Let me think', thinkingAt: 1 };
    expect(await rows()).to.deep.equal(['First', 'Reasoning Let me think']);
    element.run = { ...element.run, steps: [step('First'), step('Second')] };
    expect(await rows()).to.deep.equal(['First', 'Reasoning Let me think', 'Second']);
    const restored = await fixture<StepsElement>(
      html`<agent-chat-steps .run=${element.run}></agent-chat-steps>`,
    );
    deepAll(restored, '.toggle')[0]?.click();
    await restored.updateComplete;
    expect(deepAll(restored, 'li').map((row) => textOf(row).replace('done', '').trim())).to.deep.equal(
      await rows(),
    );
  });

  it('reasoning that is being read stays open when the first step comes', async () => {
    const element = await fixture<StepsElement>(
      html`<agent-chat-steps
        .run=${{ steps: [], thinking: 'Let me think', thinkingAt: 0 }}
      ></agent-chat-steps>`,
    );
    deepAll(element, '.toggle')[0]?.click();
    await element.updateComplete;
    const top = deepAll(element, '.thinking')[0]?.getBoundingClientRect().top;
    const first = { id: 'First', name: 'First', status: 'active' } as RunStep; // all that is shown
    element.run = { ...element.run, steps: [first] };
    await element.updateComplete;
    const text = deepAll(element, '.thinking')[0];
    expect(text?.checkVisibility()).to.equal(true);
    expect(text?.getBoundingClientRect().top).to.equal(top);
  });

  it('what follows an item waits while the code of the item loads', async () => {
    defineElement('agent-chat-turn', TurnElement);
    const turn: Turn = { id: 'turn', prompt: undefined, run: undefined, answers: [] };
    const element = await fixture<TurnElement>(
      html`<agent-chat-turn .panel=${panelConfig} .turn=${turn}></agent-chat-turn>`,
    );
    const answer = document.createElement('div');
    answer.className = 'answer';
    answer.append(document.createElement('section'), document.createElement('p'));
    element.renderRoot.append(answer);
    const [item, text] = answer.children;
    item?.toggleAttribute('loading', true);
    expect(text?.checkVisibility({ visibilityProperty: true })).to.equal(false);
    item?.removeAttribute('loading');
    expect(text?.checkVisibility({ visibilityProperty: true })).to.equal(true);
  });
});
