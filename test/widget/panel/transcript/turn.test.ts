import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { ConversationMessage, Run, RunStep } from '../../../../src/conversation/conversation.ts';
import { createRun, createMessage } from '../../../../src/conversation/factories.ts';
import { readItems } from '../../../../src/conversation/items.ts';
import { interruption } from '../../../../src/conversation/stream-actions.ts';
import { NoticeElement } from '../../../../src/widget/panel/transcript/notice.ts';
import { TurnActionsElement } from '../../../../src/widget/panel/transcript/turn-actions.ts';
import type { Trouble } from '../../../../src/widget/i18n/status-strings.ts';
import { TurnElement } from '../../../../src/widget/panel/transcript/turn.ts';
import { VisitorMessageElement } from '../../../../src/widget/panel/transcript/visitor-message.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';
import { panelConfig } from '../panel-fixture.ts';

defineElement('agent-chat-turn', TurnElement);
defineElement('agent-chat-notice', NoticeElement);
defineElement('agent-chat-turn-actions', TurnActionsElement);
defineElement('agent-chat-visitor-message', VisitorMessageElement);

function message(role: string, content: unknown): ConversationMessage {
  const blank = createMessage({ id: role, role, status: 'complete', runKey: 'user', createdAt: 1 });
  return { ...blank, items: readItems(content) };
}

const blankStep: RunStep = {
  id: '',
  kind: 'step',
  name: '',
  agentName: undefined,
  status: 'active',
  input: undefined,
  output: undefined,
  error: undefined,
  parentId: undefined,
};

/** The text below a finished turn. */
async function wordsBelow(
  run: Partial<Run>,
  answers: readonly ConversationMessage[],
  prompt: ConversationMessage | undefined = message('user', 'Hello'),
): Promise<string> {
  const whole: Run = { ...createRun({ id: 'user', startedAt: 1 }), endedAt: 2, ...run };
  const turn = { id: 'turn', prompt, run: whole, answers };
  const element = await fixture<TurnElement>(
    html`<agent-chat-turn .panel=${panelConfig} .turn=${turn}></agent-chat-turn>`,
  );
  const notice = element.renderRoot.querySelector<NoticeElement>('agent-chat-notice');
  await notice?.updateComplete;
  return notice?.renderRoot.textContent?.trim() ?? '';
}

/** The last turn, with this problem of the connection. */
function turnWith(
  trouble: Trouble | '',
  run: Partial<Run>,
  answers: readonly ConversationMessage[] = [],
): Promise<TurnElement> {
  const whole: Run = { ...createRun({ id: 'user', startedAt: 1 }), ...run };
  const turn = { id: 'turn', prompt: message('user', 'Hello'), run: whole, answers };
  return fixture<TurnElement>(
    html`<agent-chat-turn .panel=${panelConfig} .turn=${turn} .trouble=${trouble} last></agent-chat-turn>`,
  );
}

function statusLine({ renderRoot }: TurnElement): string | undefined {
  return renderRoot.querySelector('.status')?.textContent?.trim();
}

describe('<agent-chat-turn>', () => {
  it('shows that no answer came when a run completes without content', async () => {
    expect(await wordsBelow({ status: 'completed' }, [])).to.equal('No answer came.');
    expect(await wordsBelow({ status: 'completed' }, [message('assistant', ' ')])).to.equal(
      'No answer came.',
    );
  });

  it('shows nothing when the agent is silent on purpose, as it says with an interim message', async () => {
    const interim = { ...message('assistant', []), interim: true };
    expect(await wordsBelow({ status: 'completed' }, [interim])).to.equal('');
  });

  it('marks the message of a person with the name, in sight and in the heading', async () => {
    const author = { kind: 'person', name: 'Mara', id: '', server: 'desk' };
    const answer = { ...message('assistant', 'On my way.'), additionalProperties: { author } };
    const turn = { id: 'turn', prompt: undefined, run: undefined, answers: [answer] };
    const element = await fixture<TurnElement>(
      html`<agent-chat-turn .panel=${panelConfig} .turn=${turn}></agent-chat-turn>`,
    );
    const textOf = (selector: string): string =>
      element.renderRoot.querySelector(selector)?.textContent?.trim() ?? '';
    expect(textOf('.from')).to.equal('Mara (a person)');
    expect(textOf('h3')).to.equal('Mara (a person) said');
  });

  it('shows nothing below an answer, steps or an active run, nor after a silent prompt', async () => {
    expect(await wordsBelow({ status: 'completed' }, [message('assistant', 'Yes.')])).to.equal('');
    expect(await wordsBelow({ status: 'completed', summary: 'Done' }, [])).to.equal('');
    expect(await wordsBelow({ status: 'streaming', endedAt: undefined }, [])).to.equal('');
    const element = await fixture<TurnElement>(
      html`<agent-chat-turn
        .panel=${panelConfig}
        .turn=${{ id: 'turn', prompt: undefined, run: createRun({ id: 'user', startedAt: 1 }), answers: [] }}
      ></agent-chat-turn>`,
    );
    expect(element.renderRoot.querySelector('agent-chat-notice')).to.equal(null);
  });

  it('has no actions below a decision that is asked, has them once it is made, and leaves them to the answer after it', async () => {
    const question = (decision?: unknown): ConversationMessage =>
      message('assistant', [
        { response_type: 'text', text: 'I can book it.' },
        { response_type: 'forms', sub_type: 'tool_approval', id: 'call', decision },
      ]);
    const hasActions = async (answer: ConversationMessage, isFollowed = false): Promise<boolean> => {
      const turn = await turnWith('', { status: 'completed', endedAt: 2 }, [answer]);
      turn.last = !isFollowed;
      await turn.updateComplete;
      return turn.renderRoot.querySelector('agent-chat-turn-actions') !== null;
    };
    expect(await hasActions(question())).to.equal(false);
    expect(await hasActions(question({ state: 'asked' }))).to.equal(false);
    expect(await hasActions(question({ state: 'declined' }))).to.equal(true);
    const answers = { call: { action: 'submit', data: {} } } as const;
    expect(await hasActions({ ...question(), answers })).to.equal(true);
    expect(await hasActions({ ...question(), answers }, true)).to.equal(false);
    expect(await hasActions(message('assistant', 'Booked.'), true)).to.equal(true);
  });

  it('offers Retry below an earlier turn, too, if its answer was cut', async () => {
    const failure = { ...interruption(''), retryable: true };
    const isOffered = async (run: Partial<Run>): Promise<boolean> =>
      (await wordsBelow({ status: 'interrupted', failure, ...run }, [])).includes('Retry');
    expect(await isOffered({ runId: undefined })).to.equal(true);
    expect(await isOffered({ runId: 'R-1' })).to.equal(true);
    expect(await isOffered({ runId: 'R-1', status: 'failed' })).to.equal(true);
    expect(await isOffered({ failure: { ...failure, retryable: false } })).to.equal(false);
  });

  it('marks an unsent message when offline, and says when it reconnects, instead of showing activity', async () => {
    const unsent = await turnWith('offline', { status: 'submitted' });
    const said = unsent.renderRoot.querySelector<VisitorMessageElement>('agent-chat-visitor-message');
    await said?.updateComplete;
    expect(said?.renderRoot.querySelector('.state')?.textContent?.trim()).to.equal('Waiting to be sent');
    expect(unsent.renderRoot.querySelector('[data-side=reply]')).to.equal(null);
    expect(statusLine(await turnWith('offline', { status: 'streaming' }))).to.equal(undefined);
    expect(statusLine(await turnWith('resuming', { status: 'streaming' }))).to.equal('Reconnecting…');
  });

  it('says that it still waits for a stalled answer, unless the agent has said what it does', async () => {
    const half = { ...message('assistant', 'The berth plan of'), status: 'streaming' as const };
    const run = { status: 'streaming' } as const;
    expect(statusLine(await turnWith('', run, [half]))).to.equal('Writing…');
    const stalled = await turnWith('stalled', run, [half]);
    expect(statusLine(stalled)).to.equal('Still no answer…');
    const said = { key: undefined, text: 'Checking the berth plan', agentName: undefined };
    const busy = await turnWith('stalled', { ...run, statusLine: said }, [half]);
    expect(statusLine(busy)).to.equal('Checking the berth plan');
  });

  it('has one line for what the agent is doing, which becomes the heading of its steps', async () => {
    const run: Run = { ...createRun({ id: 'user', startedAt: 1 }), status: 'streaming' };
    const turn = { id: 'turn', prompt: message('user', 'Hello'), run, answers: [] };
    const element = await fixture<TurnElement>(
      html`<agent-chat-turn .panel=${panelConfig} .turn=${turn}></agent-chat-turn>`,
    );
    const line = (): HTMLElement | null =>
      element.renderRoot.querySelector<HTMLElement>('.status') ??
      element.renderRoot.querySelector('agent-chat-steps')?.shadowRoot?.querySelector('.toggle') ??
      null;
    const text = (): string => line()?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
    const top = (): number => line()?.getBoundingClientRect().top ?? 0;
    expect(text()).to.equal('Working on it…');
    const at = top();

    const step: RunStep = { ...blankStep, id: 's', name: 'find_berth', status: 'active' };
    element.turn = { ...turn, run: { ...run, steps: [step] } };
    await waitUntil(
      () => customElements.get('agent-chat-steps') && !element.renderRoot.querySelector('.status'),
    );
    await waitUntil(() => text() === 'Find berth');
    expect(top()).to.be.closeTo(at, 4);

    element.turn = {
      ...turn,
      run: { ...run, steps: [{ ...step, status: 'done' }], status: 'completed', endedAt: 3_001 },
      answers: [message('assistant', 'Berth C 14.')],
    };
    await waitUntil(() => text() === '1 step · 3 s');
    expect(top()).to.be.closeTo(at, 4);
  });

  it('shows a plan while it is under way, and leaves it open', async () => {
    const plan: RunStep[] = [
      { ...blankStep, id: '1', name: 'Look up the boat', status: 'done' },
      { ...blankStep, id: '2', name: 'Find a berth', status: 'active' },
    ];
    const run: Run = {
      ...createRun({ id: 'user', startedAt: 1 }),
      status: 'streaming',
      plan,
    };
    const turn = { id: 'turn', prompt: message('user', 'Hello'), run, answers: [] };
    const element = await fixture<TurnElement>(
      html`<agent-chat-turn .panel=${panelConfig} .turn=${turn}></agent-chat-turn>`,
    );
    const rows = (): number =>
      element.renderRoot.querySelector('agent-chat-steps')?.shadowRoot?.querySelectorAll('.item').length ?? 0;
    await waitUntil(() => rows() === 2);
    element.turn = {
      ...turn,
      run: { ...run, status: 'completed', endedAt: 2 },
      answers: [message('assistant', 'Done.')],
    };
    await element.updateComplete;
    expect(rows()).to.equal(2);
  });

  it('tells the steps from the plan above them', async () => {
    const row = (id: string, name: string): RunStep => ({ ...blankStep, id, name, status: 'done' });
    const run: Run = {
      ...createRun({ id: 'user', startedAt: 1 }),
      endedAt: 1_001,
      status: 'completed',
      plan: [row('p1', 'Look up the boat'), row('p2', 'Find a berth')],
      steps: [row('s1', 'Look up the boat')],
    };
    const turn = {
      id: 'turn',
      prompt: message('user', 'Hello'),
      run,
      answers: [message('assistant', 'Yes.')],
    };
    const element = await fixture<TurnElement>(
      html`<agent-chat-turn .panel=${panelConfig} .turn=${turn}></agent-chat-turn>`,
    );
    const within = (selector: string): HTMLElement[] => [
      ...(element.renderRoot
        .querySelector('agent-chat-steps')
        ?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
    ];
    await waitUntil(() => within('.toggle').length === 1);
    expect(within('.toggle')[0]!.innerText.replace(/\s+/g, ' ').trim()).to.equal('Plan · 1 step · 1 s');
    within('.toggle')[0]!.click();
    await waitUntil(() => within('li').length > 0);
    const rows = within('li').map(({ innerText }) => innerText.split('\n').at(-1)?.trim());
    expect(rows).to.deep.equal(['Look up the boat', 'Find a berth', '1 step', 'Look up the boat']);
  });

  it('shows the time of a message while it has the focus', async () => {
    const at = new Date(2026, 10, 24, 14, 5).getTime();
    const said = (role: string, text: string): ConversationMessage => ({
      ...message(role, text),
      createdAt: at,
    });
    const run: Run = {
      ...createRun({ id: 'user', startedAt: 1 }),
      endedAt: 2,
      status: 'completed',
    };
    const turn = { id: 'turn', prompt: said('user', 'Hello'), run, answers: [said('assistant', 'Yes.')] };
    const element = await fixture<TurnElement>(
      html`<agent-chat-turn .panel=${panelConfig} .turn=${turn}></agent-chat-turn>`,
    );
    const parts = element.renderRoot;
    const actions = parts.querySelector<TurnActionsElement>('agent-chat-turn-actions');
    await actions?.updateComplete;
    const row = actions?.renderRoot.querySelector('.row');
    const line = parts.querySelector<VisitorMessageElement>('agent-chat-visitor-message')?.renderRoot;
    const time = (of: Element | null | undefined): string[] => {
      const { content, opacity } = getComputedStyle(of!, '::after');
      return [content, opacity];
    };
    // the first format in a page takes longer than to draw the turn
    expect(time(row)).to.deep.equal(['""', '0']);
    expect(time(line?.querySelector('.block'))).to.deep.equal(['""', '0']);
    parts.querySelector<HTMLElement>('[data-side=reply]')?.focus();
    await waitUntil(() => time(row)[1] === '1');
    expect(time(row)[0]).to.equal('"2:05 PM"');
    expect(time(line?.querySelector('.block'))[1]).to.equal('0');
    parts.querySelector<HTMLElement>('[data-side=prompt]')?.focus();
    await waitUntil(() => time(line?.querySelector('.block'))[1] === '1' && time(row)[1] === '0');
  });
});
