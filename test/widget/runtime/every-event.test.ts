import { expect } from '@open-wc/testing';
import { runEventKinds, unlistedRunEventKinds, type KnownRunEventKind } from '../../../src/protocol/index.ts';
import { ChatFixture, fresh, RunService, streamOf, until } from '../chat-fixture.ts';
import { textOf } from '../content/item-fixture.ts';

const ids = {
  run_id: '5d1f3c1e-0000-4000-8000-000000000001',
  thread_id: '5d1f3c1e-0000-4000-8000-000000000002',
};
type Told = readonly [event: string, data?: Record<string, unknown>];

/** The events before the tested kind, the kind itself, and what a visitor then sees and can do. */
interface Row {
  readonly before?: readonly Told[];
  readonly told: Told;
  readonly after?: readonly Told[];
  /** The stream stays open after the event. */
  readonly stays?: boolean;
  readonly sees: (chat: ChatFixture) => Promise<void>;
}

const text = (words: string): Record<string, unknown> => ({
  delta: { role: 'assistant', content: [{ id: '1', response_type: 'text', text: words }] },
});
const message = (content: unknown[]): Record<string, unknown> => ({
  message_id: 'M-8000-1',
  message: { id: 'M-8000-1', role: 'assistant', content },
});
const said = message([{ id: '1', response_type: 'text', text: 'The whole answer' }]);
const call = {
  delta: {
    role: 'assistant',
    step_details: [
      { type: 'tool_calls', tool_calls: [{ id: 'c1', name: 'get_tide', args: { day: 'today' } }] },
    ],
  },
};

const turnOf = (chat: ChatFixture): string => chat.texts('agent-chat-turn').join();
/** Waits until a part of the chat contains this text. */
const contains = (chat: ChatFixture, selector: string, words: string): Promise<void> =>
  until(() => chat.texts(selector).join(' | ').includes(words));
const isButton = (chat: ChatFixture, name: string): Promise<void> =>
  until(() => chat.find('agent-chat-composer .main').ariaLabel === name);
const open = async (chat: ChatFixture): Promise<void> => {
  await chat.shows('agent-chat-steps .toggle');
  chat.find('agent-chat-steps .toggle').click();
  await until(() => chat.all('agent-chat-steps li').length > 0);
};
const steps = (chat: ChatFixture): string[] => chat.texts('agent-chat-steps li');
/** Whether a text of a turn is drawn where a visitor sees it. */
const isSeen = (chat: ChatFixture, words: string): boolean =>
  chat
    .all('agent-chat-turn p')
    .some(
      (one) => textOf(one).includes(words) && one.checkVisibility() && one.getBoundingClientRect().height > 0,
    );
const offersRetry = (chat: ChatFixture): Promise<void> => until(() => chat.button('Retry').checkVisibility());

const rows: Record<KnownRunEventKind, Row> = {
  'run.started': {
    told: ['run.started'],
    stays: true,
    sees: async (chat) => {
      await contains(chat, 'agent-chat-turn .work .line', 'Working');
      await isButton(chat, 'Stop');
    },
  },
  'run.completed': {
    before: [['message.delta', text('Done and dusted')]],
    told: ['run.completed', { context: {} }],
    after: [['done']],
    sees: async (chat) => {
      await until(() => chat.lastAnswer === 'Done and dusted');
      await isButton(chat, 'Send');
      await chat.shows('agent-chat-turn .work .line', 0);
    },
  },
  'run.failed': {
    before: [['message.delta', text('Half an')]],
    told: ['run.failed', { error: { message: 'the model is away' } }],
    after: [['done']],
    sees: async (chat) => {
      await contains(chat, '.notice', 'went wrong');
      await contains(chat, '.notice', 'Reference: ');
      expect(chat.texts('.notice').join()).not.to.contain('the model is away');
      await offersRetry(chat);
      expect(chat.lastAnswer).to.equal('Half an');
    },
  },
  'run.expired': {
    told: ['run.expired'],
    after: [['done']],
    sees: async (chat) => {
      await contains(chat, '.notice', 'took too long');
      await offersRetry(chat);
    },
  },
  'run.cancelled': {
    before: [['message.delta', text('Half an')]],
    told: ['run.cancelled'],
    after: [['done']],
    sees: async (chat) => {
      await contains(chat, 'agent-chat-turn', 'Stopped');
      expect(chat.all('.notice')).to.have.length(0);
      expect(chat.lastAnswer).to.equal('Half an');
    },
  },
  'run.step.started': {
    told: ['run.step.started', { step_id: 's1', name: 'Looking at the tide table' }],
    stays: true,
    sees: async (chat) => {
      await contains(chat, 'agent-chat-steps .toggle', 'Looking at the tide table');
      await open(chat);
      expect(steps(chat).join()).to.contain('in progress');
    },
  },
  'run.step.completed': {
    before: [['run.step.started', { step_id: 's1', name: 'Looking at the tide table' }]],
    told: ['run.step.completed', { step_id: 's1', name: 'Looking at the tide table' }],
    stays: true,
    sees: async (chat) => {
      await open(chat);
      await until(() => steps(chat).join().includes('done'));
    },
  },
  'run.step.failed': {
    before: [['run.step.started', { step_id: 's1', name: 'Looking at the tide table' }]],
    told: ['run.step.failed', { step_id: 's1', error: 'the gauge is silent' }],
    after: [['message.delta', text('Still answered')], ['run.completed'], ['done']],
    sees: async (chat) => {
      await until(() => chat.lastAnswer === 'Still answered');
      await open(chat);
      await until(() => chat.find('agent-chat-steps li .failed').checkVisibility());
    },
  },
  'run.step.delta': {
    told: ['run.step.delta', call],
    after: [
      [
        'run.step.delta',
        {
          delta: {
            role: 'assistant',
            step_details: [
              { type: 'tool_response', name: 'get_tide', tool_call_id: 'c1', content: 'high at noon' },
              { type: 'tool_call', name: 'get_tide', tool_call_id: 'c1', args: { day: 'today' } },
            ],
          },
        },
      ],
      ['run.completed'],
      ['done'],
    ],
    sees: async (chat) => {
      await contains(chat, 'agent-chat-steps', '1 step');
      await open(chat);
      chat.find('agent-chat-steps summary').click();
      await until(() => steps(chat).join().includes('high at noon'));
      expect(steps(chat)).to.have.length(1);
      expect(steps(chat)[0]).to.contain('"day": "today"');
    },
  },
  'run.step.thinking': {
    told: ['run.step.thinking', { thinking: 'First the tide, then the berth.' }],
    after: [['message.delta', text('Answered')], ['run.completed'], ['done']],
    sees: async (chat) => {
      await contains(chat, 'agent-chat-steps', 'Reasoning');
      expect(isSeen(chat, 'First the tide')).to.equal(false);
      chat.find('agent-chat-steps .toggle').click();
      await until(() => isSeen(chat, 'First the tide, then the berth.'));
    },
  },
  'message.created': {
    before: [['message.started'], ['message.delta', text('')]],
    told: ['message.created', said],
    after: [['run.completed'], ['done']],
    sees: async (chat) => {
      await until(() => chat.lastAnswer === 'The whole answer');
      expect(chat.all('.answer')).to.have.length(1);
    },
  },
  'message.started': {
    told: ['message.started'],
    stays: true,
    sees: async (chat) => {
      await until(() => chat.find('agent-chat-turn .work .line').checkVisibility());
      expect(chat.all('.answer')).to.have.length(0);
    },
  },
  'message.delta': {
    told: ['message.delta', text('Some **bold** words')],
    stays: true,
    sees: async (chat) => {
      await until(() => chat.lastAnswer === 'Some bold words');
      expect(chat.texts('agent-chat-turn strong')).to.deep.equal(['bold']);
    },
  },
  'message.completed': {
    before: [['message.delta', text('All of it')]],
    told: ['message.completed'],
    after: [['run.completed'], ['done']],
    sees: async (chat) => {
      await chat.answered(1);
      expect(chat.lastAnswer).to.equal('All of it');
    },
  },
  'message.interrupt': {
    told: ['message.interrupt', message([{ id: '1', response_type: 'text', text: 'Shall I go on?' }])],
    stays: true,
    sees: async (chat) => {
      await until(() => chat.lastAnswer.includes('Shall I go on?'));
      await contains(chat, 'agent-chat-header', 'Your reply is needed');
      chat.write('Yes');
      await isButton(chat, 'Send');
    },
  },
  transcription: {
    told: ['transcription', { text: 'what was spoken', final: true }],
    after: [['message.delta', text('Heard')], ['run.completed'], ['done']],
    sees: (chat) => contains(chat, 'agent-chat-visitor-message', 'what was spoken'),
  },
  summary: {
    told: ['summary', { summary: 'In short: yes.' }],
    after: [['run.completed'], ['done']],
    sees: async (chat) => {
      await until(() => chat.texts('agent-chat-turn summary').join() === 'Summary');
      expect(isSeen(chat, 'In short: yes.')).to.equal(false);
      chat.find('agent-chat-turn summary').click();
      await until(() => isSeen(chat, 'In short: yes.'));
    },
  },
  error: {
    before: [['message.delta', text('Half an')]],
    told: ['error', { message: 'out of paper' }],
    sees: async (chat) => {
      await contains(chat, '.notice', 'went wrong');
      expect(chat.lastAnswer).to.equal('Half an');
    },
  },
  done: {
    before: [['message.created', said], ['run.completed']],
    told: ['done'],
    stays: true,
    sees: async (chat) => {
      await chat.answered(1);
      await isButton(chat, 'Send');
    },
  },
  planning: {
    told: [
      'planning',
      {
        plan: [
          { id: 'p1', name: 'Read the gauge' },
          { id: 'p2', name: 'Choose a berth' },
        ],
      },
    ],
    after: [['message.delta', text('Answered')], ['run.completed'], ['done']],
    sees: async (chat) => {
      await open(chat);
      const [gauge, berth, ...others] = steps(chat);
      expect([gauge, berth].join()).to.match(/Read the gauge.*Choose a berth/);
      expect(others).to.deep.equal([]);
    },
  },
  'flow.slot.listen': {
    told: [
      'flow.slot.listen',
      message([
        { id: 'o', response_type: 'option', title: 'Which pier?', options: [{ label: 'A', value: 'a' }] },
      ]),
    ],
    stays: true,
    sees: async (chat) => {
      await until(() => chat.button('A').checkVisibility());
      await contains(chat, 'agent-chat-header', 'Your reply is needed');
    },
  },
  'run.step.intermediate': {
    told: ['run.step.intermediate', { message: { key: 'k', text: 'Checking the berth plan…' } }],
    stays: true,
    sees: async (chat) => {
      await contains(chat, 'agent-chat-turn .work .line', 'Checking the berth plan…');
      expect(chat.all('agent-chat-steps')).to.have.length(0);
    },
  },
  'slot.input': {
    told: ['slot.input', said],
    after: [['run.completed'], ['done']],
    sees: (chat) => until(() => chat.lastAnswer === 'The whole answer'),
  },
};

describe('what a visitor sees and can do after each kind of event', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  const faults: string[] = [];
  const note = ({ message: fault }: ErrorEvent): unknown => faults.push(fault);
  beforeEach(() => addEventListener('error', note));
  afterEach(() => {
    chat.remove();
    service.stop();
    removeEventListener('error', note);
    expect(faults.splice(0)).to.deep.equal([]);
  });

  async function play({ before = [], told, after = [], stays = false }: Omit<Row, 'sees'>): Promise<void> {
    const events: Told[] = [['run.started'], ...before, told, ...after];
    service = new RunService(() => {
      const wire = events.map(([event, data]) => ({ id: '', event, data: { ...ids, ...data } }));
      return streamOf(fresh(wire), { staysOpen: stays });
    });
    chat = ChatFixture.begin();
    await chat.open();
    chat.say('Hello');
  }

  it('covers every kind of event of the interface, and the two unlisted ones', () => {
    service = new RunService();
    chat = ChatFixture.begin();
    expect(Object.keys(rows).sort()).to.deep.equal([...runEventKinds, ...unlistedRunEventKinds].sort());
  });

  for (const [kind, row] of Object.entries(rows)) {
    it(kind, async () => {
      await play(row);
      await row.sees(chat);
    });
  }

  it('a message’s own steps are shown beside those of its run, each with its agent and only once', async () => {
    const own = {
      message_id: 'M-8000-1',
      message: {
        id: 'M-8000-1',
        role: 'assistant',
        content: 'High at noon.',
        step_history: [call.delta],
        additional_properties: { svc_message: { title: 'Read from the gauge', text: 'at the south quay' } },
      },
    };
    await play({
      before: [['run.step.delta', { agent_display_name: 'Harbour clerk', ...call }]],
      told: ['message.created', own],
      after: [['run.completed'], ['done']],
    });
    await chat.answered(1);
    await chat.shows('agent-chat-steps', 2);
    const all = chat.all('agent-chat-steps');
    const ofMessage = all.find((one) => one.closest('.answer'))!;
    const ofRun = all.find((one) => one !== ofMessage)!;
    for (const list of [ofMessage, ofRun]) list.shadowRoot?.querySelector<HTMLElement>('.toggle')?.click();
    const entries = (list: HTMLElement): string[] =>
      [...(list.shadowRoot?.querySelectorAll('li') ?? [])].map(textOf);
    await until(() => entries(ofMessage).length === 1 && entries(ofRun).length === 1);
    expect(entries(ofMessage)[0]).to.contain('Read from the gauge');
    expect(entries(ofRun)[0]).to.contain('Get tide · Harbour clerk');
  });

  it('an answer whose run recovered from an error can be copied and rated', async () => {
    await play({
      before: [['error', { message: 'out of paper' }]],
      told: ['message.created', said],
      after: [['run.completed'], ['done']],
    });
    await chat.answered(1);
    expect(chat.texts('agent-chat-notice').join()).to.equal('');
    chat.host.preview = true;
    await until(() => chat.texts('agent-chat-notice').join() === 'Details out of paper');
    expect(chat.all('agent-chat-notice button')).to.have.length(0);
    expect(chat.buttons('Copy')).to.have.length(1);
    expect(turnOf(chat)).to.contain('The whole answer');
  });
});
