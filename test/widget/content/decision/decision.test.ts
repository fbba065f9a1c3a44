import { expect, waitUntil } from '@open-wc/testing';
import type { DecisionView } from '../../../../src/conversation/tool-decision.ts';
import { readDecision } from '../../../../src/conversation/tool-decision.ts';
import { emptyConversation } from '../../../../src/conversation/conversation.ts';
import type { DecisionWatchEvent } from '../../../../src/widget/content/decision/decision-events.ts';
import type { AnnounceEvent } from '../../../../src/widget/events/panel-events.ts';
import { createStrings } from '../../../../src/widget/i18n/create-strings.ts';
import { de } from '../../../../src/widget/i18n/locales/de.ts';
import {
  axeFaults,
  button,
  contextOf,
  deep,
  deepAll,
  itemOf,
  settled,
  show,
  textOf,
  waitFor,
  type ItemHarness,
} from '../item-fixture.ts';

const approval = {
  response_type: 'forms',
  sub_type: 'tool_approval',
  id: 'call-1',
  name: 'Book a berth',
  tool: { server: 'Berths', name: 'book_berth', description: 'Reserves a berth.', read_only: false },
  json_schema: {
    type: 'object',
    title: 'bookBerthArguments',
    required: ['boat'],
    properties: {
      boat: { type: 'string', title: 'Boat', minLength: 2 },
      arrival: { type: 'string', format: 'date', title: 'Arrival' },
      power: { type: 'boolean', title: 'Power' },
    },
  },
  form_data: { boat: 'Marigold', arrival: '2026-06-12', power: true, berth_side: 'sea' },
};

/** The message that decides, as it goes out. */
function sent(harness: ItemHarness): Readonly<Record<string, unknown>> {
  const [content] = [harness.answers.at(-1)?.message?.content].flat();
  return (content ?? {}) as Readonly<Record<string, unknown>>;
}

/** A card in a chat that knows where the decision stands. */
async function watched(
  source: Readonly<Record<string, unknown>> = approval,
): Promise<{ harness: ItemHarness; tell: (change: Partial<DecisionView>) => Promise<void> }> {
  let event: DecisionWatchEvent | undefined;
  const first = readDecision(emptyConversation, contextOf().message, itemOf(source));
  const listen = (watch: Event): void => {
    watch.preventDefault();
    event = watch as DecisionWatchEvent; // by its name
    event.onChange(first);
  };
  document.addEventListener('agent-chat-decision-watch', listen);
  const harness = await show([source]);
  document.removeEventListener('agent-chat-decision-watch', listen);
  return {
    harness,
    tell: async (change) => {
      event?.onChange({ ...first, ...change });
      await settled(harness);
    },
  };
}

/** The first field of the form, once it is there. */
async function boatField(harness: ItemHarness): Promise<HTMLInputElement> {
  await waitFor(() => deepAll(harness, 'agent-chat-form').length > 0);
  await settled(harness);
  return deep<HTMLInputElement>(deep(harness, 'agent-chat-form'), 'input');
}

describe('<agent-chat-decision>', () => {
  it('is shown, and asks again, when the code that tells where it stands could not be loaded', async function () {
    this.timeout(20_000);
    const asked: DecisionWatchEvent[] = [];
    const listen = (watch: Event): void => {
      watch.preventDefault();
      asked.push(watch as DecisionWatchEvent); // by its name
    };
    document.addEventListener('agent-chat-decision-watch', listen);
    try {
      const harness = await show([approval]);
      expect(textOf(deep(harness, 'agent-chat-decision'))).to.include('Book a berth');
      expect(asked.map(({ signal }) => signal.aborted)).to.deep.equal([true, false]);
      const view = readDecision(emptyConversation, contextOf().message, itemOf(approval));
      asked[1]?.onChange({ ...view, state: 'running' });
      await waitUntil(() => deepAll(harness, '.card.open').length === 0);
    } finally {
      document.removeEventListener('agent-chat-decision-watch', listen);
    }
  });

  it('shows what will be done, where, and every argument by its name', async () => {
    const harness = await show([approval]);
    const text = textOf(harness);
    expect(text).to.contain('Book a berth Acts on Berths Reserves a berth.');
    expect(text).to.contain('Boat Marigold Arrival June 12, 2026 Power Yes Berth side sea');
    expect(text).not.to.contain('bookBerthArguments');
  });

  it('focuses nothing and preselects nothing', async () => {
    const before = document.activeElement;
    const harness = await show([approval]);
    expect(document.activeElement).to.equal(before);
    expect(deepAll(harness, '[autofocus], [checked], [selected], button[type=submit]')).to.have.length(0);
    expect(deepAll(harness, '.choices .button').map((one) => one.textContent?.trim())).to.deep.equal([
      'Decline',
      'Edit',
      'Approve',
    ]);
  });

  it('approves the arguments that it shows, in a message that is not shown', async () => {
    const harness = await show([approval]);
    button(harness, 'Approve').click();
    expect(sent(harness)).to.deep.equal({
      response_type: 'form_operation',
      sub_type: 'tool_approval',
      id: 'call-1',
      form_operation: 'submit',
      form_data: approval.form_data,
    });
    const { message } = harness.answers[0]!;
    expect(message?.parent_message_id).to.equal(contextOf().message.messageId);
    expect(message?.additional_properties?.display_properties?.skip_render).to.equal(true);
  });

  it('declines with a reason, or without one', async () => {
    const harness = await show([approval]);
    button(harness, 'Decline').click();
    await settled(harness);
    const reason = deep<HTMLTextAreaElement>(harness, 'textarea');
    expect(deep(harness, 'agent-chat-decision').shadowRoot?.activeElement).to.equal(reason);
    reason.value = 'Too expensive';
    reason.dispatchEvent(new InputEvent('input'));
    button(harness, 'Decline').click();
    expect(sent(harness)).to.include({ form_operation: 'cancel', reason: 'Too expensive' });
    const other = await show([approval]);
    button(other, 'Decline').click();
    await settled(other);
    button(other, 'Decline').click();
    expect(sent(other)).to.include({ form_operation: 'cancel', sub_type: 'tool_approval' });
    expect(sent(other)).not.to.have.property('reason');
  });

  it('is left as it was by Back, with focus where it came from', async () => {
    const harness = await show([approval]);
    button(harness, 'Decline').click();
    await settled(harness);
    button(harness, 'Back').click();
    await settled(harness);
    const { activeElement } = deep(harness, 'agent-chat-decision').shadowRoot!;
    expect(activeElement?.textContent?.trim()).to.equal('Decline');
    expect(harness.answers).to.have.length(0);
  });

  it('approves changed arguments that fit the schema', async () => {
    const harness = await show([approval]);
    button(harness, 'Edit').click();
    const boat = await boatField(harness);
    const type = async (value: string): Promise<void> => {
      boat.value = value;
      boat.dispatchEvent(new InputEvent('input', { bubbles: true }));
      boat.dispatchEvent(new Event('change', { bubbles: true }));
      await settled(harness);
      button(harness, 'Approve with changes').click();
      await settled(harness);
    };
    await type('M');
    expect(harness.answers).to.have.length(0);
    await type('Albatros');
    expect(harness.answers).to.have.length(1);
    expect(sent(harness)['form_data']).to.deep.equal({ ...approval.form_data, boat: 'Albatros' });
  });

  it('keeps what was typed when the service refuses the changes', async () => {
    const { harness, tell } = await watched();
    button(harness, 'Edit').click();
    const boat = await boatField(harness);
    boat.value = 'Albatros';
    boat.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await settled(harness);
    button(harness, 'Approve with changes').click();
    await tell({ state: 'sending' });
    expect(deepAll(harness, 'agent-chat-form')).to.have.length(0);
    await tell({ state: 'asked', refusal: 'arguments' });
    expect(textOf(harness)).to.contain('These details were not accepted.');
    expect((await boatField(harness)).value).to.equal('Albatros');
  });

  it('cannot be decided by the second click of two', async () => {
    const harness = await show([approval]);
    button(harness, 'Approve').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
    expect(harness.answers).to.have.length(0);
  });

  it('keeps focus when the buttons go, and announces what became of it once', async () => {
    const { harness, tell } = await watched();
    const announced: string[] = [];
    harness.addEventListener('agent-chat-announce', (event) => announced.push((event as AnnounceEvent).text));
    button(harness, 'Approve').focus();
    button(harness, 'Approve').click();
    await tell({ state: 'sending' });
    await tell({ state: 'running' });
    await tell({ state: 'running', decidedAt: Date.now() });
    await tell({ state: 'done' });
    const { activeElement } = deep(harness, 'agent-chat-decision').shadowRoot!;
    expect(activeElement?.textContent).to.contain('Approved and done');
    expect(announced).to.deep.equal([
      'Book a berth: Approved, in progress…',
      'Book a berth: Approved and done',
    ]);
    deep(harness, 'summary').click();
    await settled(harness);
    expect(textOf(harness)).to.contain('Acts on Berths Boat Marigold');
  });

  it('announces one of two states that follow each other within moments', async () => {
    const { harness, tell } = await watched();
    const announced: string[] = [];
    harness.addEventListener('agent-chat-announce', (event) => announced.push((event as AnnounceEvent).text));
    button(harness, 'Approve').click();
    for (const state of ['sending', 'approved', 'running', 'failed'] as const) await tell({ state });
    expect(announced).to.deep.equal(['Book a berth: Approved', 'Book a berth: Approved, but it failed']);
  });

  it('announces once what was decided elsewhere', async () => {
    const { harness, tell } = await watched();
    const announced: string[] = [];
    harness.addEventListener('agent-chat-announce', (event) => announced.push((event as AnnounceEvent).text));
    for (const state of ['sending', 'approved', 'running', 'done'] as const) await tell({ state });
    expect(announced).to.deep.equal(['Book a berth: Approved']);
  });

  for (const mode of ['Edit', 'Decline'])
    it(`Escape leaves ${mode}, and not the chat`, async () => {
      const harness = await show([approval]);
      const reached: Event[] = [];
      harness.addEventListener('keydown', (event) => {
        if (!event.defaultPrevented) reached.push(event);
      });
      const press = (target: Element): unknown =>
        target.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true }),
        );
      button(harness, mode).click();
      press(mode === 'Edit' ? await boatField(harness) : (await settled(harness), deep(harness, 'textarea')));
      await settled(harness);
      expect(reached).to.have.length(0);
      const { activeElement } = deep(harness, 'agent-chat-decision').shadowRoot!;
      expect(activeElement?.textContent?.trim()).to.equal(mode);
      press(activeElement!);
      expect(reached).to.have.length(1);
    });

  it('is closed once the service does not know the call', async () => {
    const { harness, tell } = await watched();
    await tell({ state: 'closed' });
    expect(textOf(harness)).to.contain('This cannot be decided any more.');
    expect(deepAll(harness, 'button')).to.have.length(0);
  });

  it('keeps the focus when it is decided elsewhere while a reason is written', async () => {
    const { harness, tell } = await watched();
    button(harness, 'Decline').click();
    await settled(harness);
    await tell({ state: 'done' });
    const { activeElement } = deep(harness, 'agent-chat-decision').shadowRoot!;
    expect(activeElement?.textContent).to.contain('Approved and done');
  });

  for (const [state, words] of [
    ['approved', 'Approved'],
    ['declined', 'Declined: Too late'],
    ['expired', 'Expired. Nothing was done.'],
    ['running', 'Approved, in progress…'],
    ['done', 'Approved and done'],
    ['failed', 'Approved, but it failed'],
    ['unknown', 'It may have happened. It is not tried again. Check with Berths first.'],
  ] as const)
    it(`shows no button once it is ${state}`, async () => {
      const decision = { state, ...(state === 'declined' ? { reason: 'Too late' } : {}) };
      for (const scheme of ['light', 'dark'] as const) {
        const harness = await show([{ ...approval, decision }], {}, scheme);
        expect(textOf(harness)).to.contain(words);
        expect(deepAll(harness, 'button')).to.have.length(0);
        expect(await axeFaults(harness)).to.deep.equal([]);
        harness.remove();
      }
    });

  it('says when it expires, and then expires', async () => {
    const soon = new Date(Date.now() + 900).toISOString();
    const harness = await show([{ ...approval, decision: { state: 'asked', expires_at: soon } }]);
    expect(textOf(harness)).to.contain('Open until');
    await waitFor(() => textOf(harness).includes('Expired. Nothing was done.'));
    expect(deepAll(harness, 'button')).to.have.length(0);
  });

  it('folds long values, and shows them whole on request', async () => {
    const remarks = 'a long story '.repeat(60);
    const harness = await show([{ ...approval, form_data: { remarks } }]);
    const value = deep(harness, '.value');
    expect(value.scrollHeight).to.be.greaterThan(value.clientHeight + 20);
    button(harness, 'Show all').click();
    await settled(harness);
    const whole = deep(harness, '.value');
    expect(whole.scrollHeight).to.be.lessThan(whole.clientHeight + 2);
  });

  it('shows nested, odd and hostile arguments as text', async () => {
    const form_data = {
      guests: [{ name: 'Ada' }, { name: 'Grace' }],
      tags: ['a', 'b'],
      nothing: null,
      mark: '**bold** <img src=x>',
      turned: 'pay \u202e001\u202c',
    };
    const text = textOf(await show([{ ...approval, form_data }]));
    expect(text).to.contain('Name Ada Name Grace');
    expect(text).to.contain('Nothing –');
    expect(text).to.contain('**bold** <img src=x>');
    expect(text).to.contain('pay ⟨U+202E⟩001⟨U+202C⟩');
  });

  it('speaks the language of the chat, and the page’s own words', async () => {
    const words = createStrings('de', de, { 'decision.approve': 'Los' });
    const harness = await show([approval], { words });
    await waitUntil(() => textOf(harness) !== ''); // its tables are fetched
    const text = textOf(harness);
    expect(text).to.contain('Ihre Entscheidung ist gefragt Book a berth Betrifft Berths');
    expect(text).to.contain('Los');
  });

  it('breaks no word of its buttons in large text in a sidebar', async () => {
    const harness = await show([approval]);
    harness.style.width = '250px';
    harness.style.setProperty('--agent-chat-size', '30px');
    for (const choice of deepAll(harness, '.choices .button')) {
      const range = document.createRange();
      range.selectNodeContents(choice);
      const tops = new Set([...range.getClientRects()].map(({ top }) => top));
      expect(tops.size, choice.textContent).to.equal(1);
      expect(choice.scrollWidth, choice.textContent).to.be.at.most(choice.offsetWidth);
    }
  });

  it('stays open when the conversation has gone on, and is never a page’s own form', async () => {
    const hostRenderers = new Map([['forms', () => document.createElement('p')]]);
    const harness = await show([approval], { active: false, closed: true, hostRenderers });
    button(harness, 'Approve').click();
    expect(harness.answers).to.have.length(1);
  });
});
