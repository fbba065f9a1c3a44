import type { ContentItem, KnownRunEventKind } from '../../../src/protocol/index.ts';
import { plainTextOf, type AgentEvent, type AgentRun } from '../../../src/service/agents/agent.ts';
import { waitAtPace } from '../../../src/service/agents/pace.ts';
import { arrivalForm, registrationForm, titlesOf } from './forms.ts';
import { sampleItems } from './items.ts';
import { created, itemDelta, say, speaker, status, useTool, type ToolUse } from './speech.ts';

/** Plays a command; `argument` is the rest of the message. */
export type Play = (run: AgentRun, argument: string) => AsyncIterable<AgentEvent>;

const findBoat: ToolUse = {
  id: 'call-boat',
  name: 'find_boat',
  args: { name: 'Marigold' },
  response: '{"boat":"Marigold","length":11.5,"berth":"C 14","since":"2026-05-29"}',
};
const listInvoices: ToolUse = {
  id: 'call-invoices',
  name: 'list_invoices',
  args: { boat: 'Marigold', state: 'open' },
  response: '[{"number":"2026-0417","total":79.5,"currency":"EUR","due":"2026-06-12"}]',
  takes: 900,
};

/** Tool calls, one of which fails, and an answer based on them. */
export const tools: Play = async function* (run) {
  yield status('lookingUp', 'Looking up your boat');
  yield {
    event: 'run.step.started',
    data: { step_id: 'step-boat', name: 'Look up the boat', agent_display_name: speaker },
  };
  yield* useTool(run, findBoat);
  yield { event: 'run.step.completed', data: { step_id: 'step-boat' } };
  yield status('lookingUp', 'Looking for open invoices');
  yield {
    event: 'run.step.started',
    data: { step_id: 'step-invoices', name: 'Look for invoices', agent_display_name: speaker },
  };
  yield* useTool(run, listInvoices);
  yield { event: 'run.step.completed', data: { step_id: 'step-invoices' } };
  yield {
    event: 'run.step.started',
    data: { step_id: 'step-gauge', name: 'Ask the tide gauge', agent_display_name: speaker },
  };
  await waitAtPace(run, 500);
  yield {
    event: 'run.step.failed',
    data: {
      step_id: 'step-gauge',
      error: { code: 'timeout', message: 'The gauge did not answer within 5 s' },
    },
  };
  yield* say(
    run,
    'The **Marigold** lies at berth C 14. One invoice is open: 2026-0417, **€ 79.50**, due on 12 June. The tide gauge did not answer, so please look at the printed table for tonight.',
  );
};

/** Reasoning, piece by piece. */
export const thinking: Play = async function* (run) {
  yield {
    event: 'run.step.thinking',
    data: { message: { key: 'thinking', text: 'Thinking about the tide' } },
  };
  for (const piece of [
    'The visitor wants to come in with 2.1 m of draught. ',
    'At low water the sill has 1.8 m, so that would not do. ',
    'High water is at 18:40; two hours either side leave at least 3.0 m.',
  ]) {
    await waitAtPace(run, 350);
    yield { event: 'run.step.thinking', data: { thinking: piece } };
  }
  yield* say(
    run,
    'With 2.1 m of draught come **between 16:40 and 20:40**; then there are at least three metres over the sill.',
  );
};

/** A plan whose steps complete one after the other. */
export const plan: Play = async function* (run) {
  const titles = ['Look up the boat', 'Find a free berth', 'Check the tide', 'Write the booking'];
  for (let done = 0; done <= titles.length; done += 1) {
    const steps = titles.map((title, place) => ({
      id: `plan-${place + 1}`,
      title,
      status: place < done ? 'completed' : place === done ? 'in_progress' : 'pending',
    }));
    yield { event: 'planning', data: { plan: steps } };
    await waitAtPace(run, 500);
  }
  yield* say(
    run,
    'All four steps are done: berth **C 22** is yours from tomorrow, and the tide lets you in from 16:40.',
  );
};

/** Each kind of event that does not end the run early. */
export const allEvents: Play = async function* (run) {
  yield { event: 'transcription', data: { text: 'When may I', final: false } };
  yield { event: 'transcription', data: { text: 'When may I come in?', final: true } };
  yield status('thinkingThisThrough', 'Thinking this through…');
  yield { event: 'planning', data: { message: { key: 'planning', text: 'Making a plan' } } };
  yield {
    event: 'planning',
    data: {
      plan: [
        { id: 'p1', title: 'Look up the boat', status: 'in_progress' },
        { id: 'p2', title: 'Check the tide' },
      ],
    },
  };
  yield { event: 'run.step.thinking', data: { thinking: 'The boat draws 2.1 m, so the tide matters.' } };
  yield { event: 'run.step.started', data: { step_id: 'step-1', name: 'Look up the boat' } };
  yield* useTool(run, findBoat);
  yield { event: 'run.step.completed', data: { step_id: 'step-1' } };
  yield { event: 'run.step.started', data: { step_id: 'step-2', name: 'Ask the tide gauge' } };
  yield { event: 'run.step.failed', data: { step_id: 'step-2', error: 'The gauge did not answer' } };
  yield {
    event: 'planning',
    data: {
      plan: [
        { id: 'p1', title: 'Look up the boat', status: 'completed' },
        { id: 'p2', title: 'Check the tide', status: 'completed' },
      ],
    },
  };
  yield { event: 'message.started' };
  yield* say(run, 'Come between **16:40** and **20:40**.');
  yield created([{ id: '1', response_type: 'text', text: 'Come between **16:40** and **20:40**.' }]);
  yield { event: 'message.completed' };
  yield {
    event: 'slot.input',
    data: {
      message: {
        role: 'assistant',
        content: [{ id: 'slot-1', response_type: 'text', text: 'Your draught was taken as 2.1 m.' }],
      },
    },
  };
  yield { event: 'summary', data: { summary: 'The visitor may come in between 16:40 and 20:40.' } };
  yield { event: 'harbour.bell', data: { rings: 2, note: 'a kind this interface does not list' } };
};

/** The kinds that are not part of every run. */
type SampleKind = Exclude<KnownRunEventKind, 'run.started' | 'done'>;

/** One event of the given kind. */
export const oneEvent: Play = async function* (run, kind) {
  const words = [{ id: '1', response_type: 'text', text: `This came with \`${kind}\`.` }];
  const step = { step_id: 'step-1', name: 'Look up the boat', agent_display_name: speaker };
  const samples: Readonly<Record<SampleKind, Readonly<Record<string, unknown>>>> = {
    'run.completed': { context: { last_topic: 'events' } },
    'run.failed': {
      reason: 'rehearsed',
      error: { code: 'rehearsed', message: 'The booking system is away. Please try again.' },
    },
    'run.expired': {
      reason: 'rehearsed',
      error: { code: 'rehearsed', message: 'The answer took too long.' },
    },
    'run.cancelled': {},
    'run.step.started': step,
    'run.step.completed': step,
    'run.step.failed': { ...step, error: 'The register did not answer' },
    'run.step.delta': {
      delta: {
        role: 'assistant',
        step_details: [{ type: 'tool_calls', tool_calls: [{ id: 'call-1', name: 'get_date', args: {} }] }],
      },
    },
    'run.step.thinking': { thinking: 'Weighing tide against daylight.' },
    'message.created': { message: { role: 'assistant', content: words } },
    'message.started': {},
    'message.delta': { delta: { role: 'assistant', content: words } },
    'message.completed': {},
    'message.interrupt': { message: { role: 'assistant', content: [...words, withId('option')] } },
    transcription: { text: 'When may I come in?', final: true },
    summary: { summary: 'Nothing of note happened.' },
    error: { error: { code: 'rehearsed', message: 'Something broke, as asked.' } },
    planning: { plan: [{ id: 'p1', title: 'Look up the boat', status: 'in_progress' }] },
    'flow.slot.listen': { message: { role: 'assistant', content: [...words, withId('forms')] } },
    'run.step.intermediate': {
      agent_display_name: speaker,
      message: { key: 'working', text: 'Working on it' },
    },
    'slot.input': { message: { role: 'assistant', content: words } },
  };
  if (kind === 'run.started' || kind === 'done') {
    yield* say(run, `\`${kind}\` is part of every run, this one too.`);
    return;
  }
  if (kind === '') {
    yield* say(
      run,
      `Name a kind, like \`/event planning\`. I know ${Object.keys(samples)
        .map((name) => `\`${name}\``)
        .join(', ')}; any other name is sent as it is.`,
    );
    return;
  }
  const data = Object.hasOwn(samples, kind) ? samples[kind as SampleKind] : undefined; // a key, as checked
  yield { event: kind, data: data ?? { note: 'a kind this interface does not list' } };
};

/** Every content item, each after a title. */
export const allItems: Play = async function* (run) {
  let place = 0;
  for (const [name, item] of Object.entries(sampleItems)) {
    place += 1;
    yield itemDelta({ id: `title-${place}`, response_type: 'text', text: `**${name}**` });
    yield itemDelta({ ...item, id: `item-${place}` });
    await waitAtPace(run, 60);
  }
};

/** One content item of the given type. */
export const oneItem: Play = async function* (run, name) {
  const item = sampleItems[name];
  if (item) {
    yield* say(run, 'Here you are:', 'title');
    yield itemDelta({ ...item, id: `item-${name}` });
    return;
  }
  yield* say(
    run,
    `Name an item, like \`/item carousel\`. I know ${Object.keys(sampleItems)
      .map((known) => `\`${known}\``)
      .join(', ')}.`,
  );
};

/** A form. */
export const form: Play = async function* (run, which) {
  yield* say(run, 'Please fill this in; I keep a berth for you.', 'title');
  yield itemDelta(which.startsWith('long') ? registrationForm : arrivalForm);
};

/** The agent asks a question; the next message is the answer. */
export const interrupt: Play = async function* (run) {
  yield* say(run, 'I can move the **Marigold** to berth D 3 tonight.');
  yield {
    event: 'message.interrupt',
    data: {
      message: {
        role: 'assistant',
        content: [
          { id: 'question', response_type: 'text', text: 'That costs € 14.50 more. Shall I?' },
          {
            id: 'choice',
            response_type: 'option',
            title: 'Shall I move her?',
            preference: 'button',
            options: [
              { label: 'Yes, please', value: { input: { text: 'Yes, move her to D 3' } } },
              { label: 'No, stay', value: { input: { text: 'No, she stays at C 14' } } },
            ],
          },
        ],
      },
    },
  };
};

/** A flow that waits for a slot. It continues when a callback arrives, or else waits for the next run. */
export const slot: Play = async function* (run) {
  yield* say(run, 'One thing is missing for the booking.');
  yield {
    event: 'flow.slot.listen',
    data: { slot: 'arrival', message: { role: 'assistant', content: [arrivalForm] } },
  };
  const answer = await Promise.race([run.nextCallback(), waitAtPace(run, 30_000)]);
  if (!answer) return;
  yield* say(run, thanksFor(describeForm(answer) ?? `“${plainTextOf(answer)}”`));
};

/** Thanks for what was noted: words, or a list of answers. */
export function thanksFor(noted: string): string {
  return `Thank you, I noted ${noted.trimEnd()}${noted.includes('\n') ? '\n\nYou will hear from the office within the hour.' : '.'}`;
}

function withId(name: string): ContentItem {
  return { ...sampleItems[name], id: `item-${name}` };
}

/** Describes a submitted form as a list; `undefined` when the message has none. */
export function describeForm(message: { readonly content?: unknown }): string | undefined {
  const items: readonly unknown[] = Array.isArray(message.content) ? message.content : [];
  const found = items.find(
    (item): item is ContentItem => typeof item === 'object' && item !== null && 'form_operation' in item,
  );
  if (!found) return undefined;
  if (found.form_operation === 'cancel') return 'that you would rather not';
  const data = found.form_data ?? {};
  const titles = new Map(titlesOf(found));
  const names = new Set([...titles.keys(), ...Object.keys(data)].filter((name) => name in data));
  const lines = [...names].map((name) => `- ${headed(titles.get(name) ?? name)} ${spelt(data[name])}`);
  return lines.length === 0 ? 'an empty form' : `this:\n\n${lines.join('\n')}\n\n`;
}

function headed(title: string): string {
  return title.endsWith('?') ? `**${title}**` : `**${title}**:`;
}

function spelt(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
