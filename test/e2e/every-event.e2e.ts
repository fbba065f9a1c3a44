import { expect, type Locator, type Page } from '@playwright/test';
import {
  runEventKindNames,
  unlistedRunEventKinds,
  type KnownRunEventKind,
} from '../../src/protocol/index.ts';
import { ChatPage } from '../tools/chat-page.ts';
import { PageServer, framings, type WireEvent } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

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
  readonly sees: (chat: ChatPage, turn: Locator) => Promise<void>;
}

const text = (words: string): Record<string, unknown> => ({
  delta: { role: 'assistant', content: [{ id: '1', response_type: 'text', text: words }] },
});
const message = (content: unknown[]): Record<string, unknown> => ({
  message_id: 'M',
  message: { id: 'M', role: 'assistant', content },
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
const status = (turn: Locator): Locator => turn.locator('.status');
const steps = (turn: Locator): Locator => turn.locator('agent-chat-steps');
const open = async (turn: Locator): Promise<void> => steps(turn).locator('.toggle').click();

const rows: Record<KnownRunEventKind, Row> = {
  'run.started': {
    told: ['run.started'],
    stays: true,
    sees: async (chat, turn) => {
      await expect(status(turn)).toContainText('Working');
      await expect(chat.button).toHaveAccessibleName('Stop');
    },
  },
  'run.completed': {
    before: [['message.delta', text('Done and dusted')]],
    told: ['run.completed', { context: {} }],
    after: [['done']],
    sees: async (chat, turn) => {
      await expect(status(turn)).toHaveCount(0);
      await expect(chat.button).toHaveAccessibleName('Send');
      expect(await chat.lastAnswer()).toBe('Done and dusted');
    },
  },
  'run.failed': {
    before: [['message.delta', text('Half an')]],
    told: ['run.failed', { error: { message: 'the model is away' } }],
    after: [['done']],
    sees: async (chat) => {
      await expect(chat.notice).toContainText('could not finish');
      await expect(chat.notice).toContainText('Reference: ');
      await expect(chat.notice).not.toContainText('the model is away');
      await expect(chat.notice.getByRole('button', { name: 'Retry' })).toBeVisible();
      expect(await chat.lastAnswer()).toBe('Half an');
    },
  },
  'run.expired': {
    told: ['run.expired'],
    after: [['done']],
    sees: async (chat) => {
      await expect(chat.notice).toContainText('took too long');
      await expect(chat.notice.getByRole('button', { name: 'Retry' })).toBeVisible();
    },
  },
  'run.cancelled': {
    before: [['message.delta', text('Half an')]],
    told: ['run.cancelled'],
    after: [['done']],
    sees: async (chat, turn) => {
      await expect(turn).toContainText('Stopped');
      await expect(chat.notice).toHaveCount(0);
      expect(await chat.lastAnswer()).toBe('Half an');
    },
  },
  'run.step.started': {
    told: ['run.step.started', { step_id: 's1', name: 'Looking at the tide table' }],
    stays: true,
    sees: async (_chat, turn) => {
      await expect(steps(turn)).toContainText('1 step');
      await open(turn);
      await expect(turn.locator('li')).toContainText('in progress');
    },
  },
  'run.step.completed': {
    before: [['run.step.started', { step_id: 's1', name: 'Looking at the tide table' }]],
    told: ['run.step.completed', { step_id: 's1', name: 'Looking at the tide table' }],
    stays: true,
    sees: async (_chat, turn) => {
      await open(turn);
      await expect(turn.locator('li')).toContainText('done');
    },
  },
  'run.step.failed': {
    before: [['run.step.started', { step_id: 's1', name: 'Looking at the tide table' }]],
    told: ['run.step.failed', { step_id: 's1', error: 'the gauge is silent' }],
    after: [['message.delta', text('Still answered')], ['run.completed'], ['done']],
    sees: async (chat, turn) => {
      await open(turn);
      await expect(turn.locator('li .failed')).toBeVisible();
      await expect.poll(() => chat.lastAnswer()).toBe('Still answered');
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
    sees: async (_chat, turn) => {
      await expect(steps(turn)).toContainText('1 step');
      await open(turn);
      await turn.locator('summary').click();
      await expect(turn.locator('li')).toHaveCount(1);
      await expect(turn.locator('li')).toContainText('"day": "today"');
      await expect(turn.locator('li')).toContainText('high at noon');
    },
  },
  'run.step.thinking': {
    told: ['run.step.thinking', { thinking: 'First the tide, then the berth.' }],
    after: [['message.delta', text('Answered')], ['run.completed'], ['done']],
    sees: async (_chat, turn) => {
      await expect(steps(turn)).toContainText('Reasoning');
      await expect(turn.getByText('First the tide')).toBeHidden();
      await open(turn);
      await expect(turn.getByText('First the tide, then the berth.')).toBeVisible();
    },
  },
  'message.created': {
    before: [['message.started'], ['message.delta', text('')]],
    told: ['message.created', said],
    after: [['run.completed'], ['done']],
    sees: async (chat) => {
      await expect.poll(() => chat.lastAnswer()).toBe('The whole answer');
      await expect(chat.answers).toHaveCount(1);
    },
  },
  'message.started': {
    told: ['message.started'],
    stays: true,
    sees: async (chat, turn) => {
      await expect(status(turn)).toBeVisible();
      await expect(chat.answers).toHaveCount(0);
    },
  },
  'message.delta': {
    told: ['message.delta', text('Some **bold** words')],
    stays: true,
    sees: async (chat, turn) => {
      await expect.poll(() => chat.lastAnswer()).toBe('Some bold words');
      await expect(turn.locator('strong')).toHaveText('bold');
    },
  },
  'message.completed': {
    before: [['message.delta', text('All of it')]],
    told: ['message.completed'],
    after: [['run.completed'], ['done']],
    sees: async (chat, turn) => {
      await expect(turn.locator('agent-chat-turn-actions')).toBeVisible();
      expect(await chat.lastAnswer()).toBe('All of it');
    },
  },
  'message.interrupt': {
    told: ['message.interrupt', message([{ id: '1', response_type: 'text', text: 'Shall I go on?' }])],
    stays: true,
    sees: async (chat) => {
      await expect.poll(() => chat.lastAnswer()).toContain('Shall I go on?');
      await expect(chat.element.locator('.header-name, agent-chat-header')).toContainText(
        'Your reply is needed',
      );
      await chat.composer.fill('Yes');
      await expect(chat.button).toHaveAccessibleName('Send');
    },
  },
  transcription: {
    told: ['transcription', { text: 'what was spoken', final: true }],
    after: [['message.delta', text('Heard')], ['run.completed'], ['done']],
    sees: async (chat) => {
      await expect(chat.element.locator('agent-chat-visitor-message')).toContainText('what was spoken');
    },
  },
  summary: {
    told: ['summary', { summary: 'In short: yes.' }],
    after: [['run.completed'], ['done']],
    sees: async (_chat, turn) => {
      await expect(turn.locator('summary')).toHaveText('Summary');
      await expect(turn.getByText('In short: yes.')).toBeHidden();
      await turn.locator('summary').click();
      await expect(turn.getByText('In short: yes.')).toBeVisible();
    },
  },
  error: {
    before: [['message.delta', text('Half an')]],
    told: ['error', { message: 'out of paper' }],
    sees: async (chat) => {
      await expect(chat.notice).toContainText('could not finish');
      expect(await chat.lastAnswer()).toBe('Half an');
    },
  },
  done: {
    before: [['message.created', said], ['run.completed']],
    told: ['done'],
    stays: true,
    sees: async (chat, turn) => {
      await expect(turn.locator('agent-chat-turn-actions')).toBeVisible();
      await expect(chat.button).toHaveAccessibleName('Send');
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
    sees: async (_chat, turn) => {
      await open(turn);
      await expect(turn.locator('li')).toHaveText([/Read the gauge/, /Choose a berth/]);
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
    sees: async (chat, turn) => {
      await expect(turn.getByRole('button', { name: 'A', exact: true })).toBeVisible();
      await expect(chat.element.locator('agent-chat-header')).toContainText('Your reply is needed');
    },
  },
  'run.step.intermediate': {
    told: ['run.step.intermediate', { message: { key: 'k', text: 'Checking the berth plan…' } }],
    stays: true,
    sees: async (_chat, turn) => {
      await expect(status(turn)).toContainText('Checking the berth plan…');
      await expect(steps(turn)).toHaveCount(0);
    },
  },
  'slot.input': {
    told: ['slot.input', said],
    after: [['run.completed'], ['done']],
    sees: async (chat) => {
      await expect.poll(() => chat.lastAnswer()).toBe('The whole answer');
    },
  },
};

let server: PageServer;
test.beforeAll(async () => {
  server = await PageServer.start();
  server.pages.set('/', {
    html: '<!doctype html><html lang="en"><title>Host</title><body><script async src="/agent-chat.js" data-agent-id="a" data-token="t"></script></body></html>',
  });
});
test.afterAll(() => server.close());

async function play(page: Page, row: Row): Promise<ChatPage> {
  const events: Told[] = [['run.started'], ...(row.before ?? []), row.told, ...(row.after ?? [])];
  server.answer = (request, response) => {
    if (!request.url?.endsWith('/runs/stream')) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [index, [event, data]] of events.entries()) {
      const wire: WireEvent = { id: `1770000000000-${index}`, event, data: { ...ids, ...data } };
      response.write(framings['real SSE'].write(wire));
    }
    if (!row.stays) response.end();
    return true;
  };
  await page.goto(server.origin);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('Hello');
  return chat;
}

test('every kind of event of the interface, and the two unlisted ones, are covered below', () => {
  expect(Object.keys(rows).sort()).toEqual([...runEventKindNames, ...unlistedRunEventKinds].sort());
});

for (const [kind, row] of Object.entries(rows)) {
  test(`${kind}: what a visitor sees and can do`, async ({ page }) => {
    const faults: string[] = [];
    page.on('pageerror', (fault) => faults.push(fault.message));
    const chat = await play(page, row);
    await row.sees(chat, chat.element.locator('agent-chat-turn').last());
    expect(faults).toEqual([]);
  });
}

test('a message’s own steps are shown beside those of its run, each with its agent and only once', async ({
  page,
}) => {
  const told = {
    message_id: 'M',
    message: {
      id: 'M',
      role: 'assistant',
      content: 'High at noon.',
      step_history: [call.delta],
      additional_properties: { svc_message: { title: 'Read from the gauge', text: 'at the south quay' } },
    },
  };
  const chat = await play(page, {
    before: [['run.step.delta', { agent_display_name: 'Harbour clerk', ...call }]],
    told: ['message.created', told],
    after: [['run.completed'], ['done']],
    sees: () => Promise.resolve(),
  });
  const own = chat.element.locator('.answer agent-chat-steps');
  await own.locator('.toggle').click();
  await expect(own.locator('li')).toHaveCount(1);
  await expect(own.locator('li')).toContainText('Read from the gauge');
  const ofRun = chat.element.locator('agent-chat-steps').first();
  await ofRun.locator('.toggle').click();
  await expect(ofRun.locator('li')).toHaveCount(1);
  await expect(ofRun.locator('summary')).toContainText('get_tide · Harbour clerk');
});

test('an answer whose run recovered from an error can be copied and rated', async ({ page }) => {
  const chat = await play(page, {
    before: [['error', { message: 'out of paper' }]],
    told: ['message.created', said],
    after: [['run.completed'], ['done']],
    sees: () => Promise.resolve(),
  });
  const notice = chat.element.locator('agent-chat-notice');
  await expect(notice).toHaveText('');
  await chat.evaluate((element) => (element.preview = true));
  await expect(notice).toHaveText(/^\s*Details\s*out of paper\s*$/);
  await expect(notice.getByRole('button')).toHaveCount(0);
  await expect(chat.element.getByRole('button', { name: 'Copy' })).toBeVisible();
});
