import type { AgentEvent, AgentRun } from '../../../src/service/agents/agent.ts';
import { waitAtPace } from '../../../src/service/agents/pace.ts';
import { approve } from './decisions.ts';
import { pageTool } from './page-tools.ts';
import { itemDelta, say, speaker, status } from './speech.ts';
import { codeTour, hostileText, longText, markdownTour, mathTour } from './texts.ts';
import { sampleItems } from './items.ts';
import {
  allEvents,
  allItems,
  form,
  interrupt,
  oneEvent,
  oneItem,
  plan,
  slot,
  thinking,
  tools,
  type Play,
} from './plays.ts';

/** A scenario that the demo agent plays on command. */
export interface ScriptedScenario {
  /** Starts with a slash; the rest of the message is the argument. */
  readonly command: string;
  readonly title: string;
  readonly description: string;
  readonly play: Play;
}

const numberOf = (argument: string, fallback: number, most: number): number => {
  const number = Number.parseFloat(argument);
  return Number.isFinite(number) && number > 0 ? Math.min(number, most) : fallback;
};

/** All scenarios, in the order of `/help`. */
export const scriptedScenarios: readonly ScriptedScenario[] = [
  { command: '/help', title: 'What I can show', description: 'Lists every command.', play: help },
  {
    command: '/markdown',
    title: 'Markdown',
    description: 'Headings, lists, a table, a quotation, code, links, an image.',
    play: (run) => say(run, markdownTour),
  },
  {
    command: '/code',
    title: 'Code',
    description: 'Four languages with highlighting.',
    play: (run) => say(run, codeTour),
  },
  {
    command: '/mathematics',
    title: 'Mathematics',
    description: 'Formulas in text and of their own.',
    play: (run) => say(run, mathTour),
  },
  {
    command: '/long',
    title: 'A long answer',
    description: 'Long Markdown in about five seconds; `/long 32000` sets the characters.',
    async *play(run, argument) {
      const text = longText(numberOf(argument, 8_000, 1_000_000));
      const piece = Math.max(24, Math.ceil(text.length / 160));
      for (let at = 0; at < text.length; at += piece) {
        yield itemDelta({ id: '1', response_type: 'text', text: text.slice(at, at + piece) });
        await waitAtPace(run, 30);
      }
    },
  },
  {
    command: '/tools',
    title: 'Tools',
    description: 'Tool calls with arguments and results, one step that fails.',
    play: tools,
  },
  { command: '/thinking', title: 'Reasoning', description: 'Reasoning, piece by piece.', play: thinking },
  { command: '/plan', title: 'A plan', description: 'A plan whose steps complete one by one.', play: plan },
  {
    command: '/summary',
    title: 'A summary',
    description: 'An answer with a summary block.',
    async *play(run) {
      yield* say(run, longText(900));
      yield {
        event: 'summary',
        data: { summary: 'In short: come at high water, lie at pontoon C, pay at the office.' },
      };
    },
  },
  {
    command: '/speech',
    title: 'Spoken words',
    description: 'The transcription of what the visitor said, until it is final.',
    async *play(run) {
      const heard = 'When is high water tomorrow?'.split(' ');
      for (let words = 1; words <= heard.length; words += 1) {
        yield {
          event: 'transcription',
          data: { text: heard.slice(0, words).join(' '), final: words === heard.length },
        };
        await waitAtPace(run, 120);
      }
      yield* say(run, 'High water tomorrow is at **06:58**.');
    },
  },
  {
    command: '/citations',
    title: 'Sources',
    description: 'An answer with numbered sources.',
    async *play() {
      yield itemDelta({ ...sampleItems['conversational_search'], id: 'search' });
    },
  },
  { command: '/items', title: 'Every content item', description: 'One of each kind.', play: allItems },
  { command: '/item', title: 'One content item', description: 'Name it: `/item carousel`.', play: oneItem },
  {
    command: '/events',
    title: 'Every event',
    description: 'A run with every kind that does not end it early.',
    play: allEvents,
  },
  { command: '/event', title: 'One event', description: 'Name it: `/event planning`.', play: oneEvent },
  {
    command: '/form',
    title: 'A form',
    description: 'A form to fill in; `/form long` for a long one.',
    play: form,
  },
  {
    command: '/interrupt',
    title: 'A question back',
    description: 'The agent asks and waits for your reply.',
    play: interrupt,
  },
  {
    command: '/approve',
    title: 'A decision',
    description: 'The agent asks before it acts; `/approve two` asks twice, `/approve long` at length.',
    play: approve,
  },
  {
    command: '/page-tool',
    title: 'A tool of the page',
    description: 'The agent asks to use the page; `/page-tool name` names the tool.',
    play: pageTool,
  },
  {
    command: '/slot',
    title: 'Waiting for a slot',
    description: 'A flow listens for input; answer by callback or message.',
    play: slot,
  },
  {
    command: '/connection',
    title: 'A connection card',
    description: 'Connected, pending or broken: `/connection pending`.',
    async *play(_run, argument) {
      const connection_status = argument || 'disconnected';
      yield {
        event: 'message.created',
        data: {
          message: {
            role: 'assistant',
            content: [{ id: '1', response_type: 'text', text: 'I need the booking system for that.' }],
            additional_properties: {
              display_properties: { skip_render: false, is_async: false },
              svc_connection_status: { connection_status, connection_message: 'Booking system of Grey Quay' },
            },
          },
        },
      };
    },
  },
  {
    command: '/later',
    title: 'An answer that comes later',
    description: 'An interim notice now, the answer a few seconds after the run; `/later 10`.',
    async *play(run, argument) {
      const wait = numberOf(argument, 4, 600) * 1000;
      yield {
        event: 'message.created',
        data: {
          message: {
            role: 'assistant',
            content: [
              { id: '1', response_type: 'text', text: 'I asked the harbour master; the answer comes here.' },
            ],
            additional_properties: { display_properties: { skip_render: false, is_async: true } },
          },
        },
      };
      run.postLater(wait, {
        role: 'assistant',
        content: [
          {
            id: '1',
            response_type: 'text',
            text: 'The harbour master says: **yes**, you may stay until Sunday.',
          },
        ],
      });
    },
  },
  {
    command: '/hidden',
    title: 'A hidden message',
    description: 'A message that must not be shown, then one that is.',
    async *play(run) {
      yield {
        event: 'message.created',
        data: {
          message: {
            role: 'assistant',
            content: [{ id: '1', response_type: 'text', text: 'Not to be seen.' }],
            additional_properties: { display_properties: { skip_render: true, is_async: false } },
          },
        },
      };
      yield* say(run, 'There was a message before this one. You should not see it.');
    },
  },
  {
    command: '/several',
    title: 'Several messages',
    description: 'Three messages in one run.',
    async *play(run) {
      for (const text of [
        'First, the weather: **fair**.',
        'Second, the tide: **rising**.',
        'Third, the berth: **C 14**.',
      ]) {
        yield* say(run, text);
        yield { event: 'message.created', data: {} };
        yield { event: 'message.completed' };
        await waitAtPace(run, 400);
      }
    },
  },
  {
    command: '/hostile',
    title: 'Hostile text',
    description: 'Scripts, odd links and unfinished marks, to be shown harmlessly.',
    play: (run) => say(run, hostileText),
  },
  {
    command: '/unknown',
    title: 'Things nobody knows',
    description: 'An event kind and a content item from the future.',
    async *play(run) {
      yield { event: 'tide.turned', data: { at: '18:40' } };
      yield* say(run, 'Something unknown follows.', 'before');
      yield itemDelta({ ...sampleItems['unknown'], id: 'unknown' });
    },
  },
  {
    command: '/fail',
    title: 'A failure',
    description: 'Some words, then `run.failed` with a reason.',
    async *play(run) {
      yield* say(run, 'Let me look that up in the booking system. It says');
      yield {
        event: 'run.failed',
        data: {
          reason: 'upstream',
          error: { code: 'upstream', message: 'The booking system is away. Please try again in a minute.' },
        },
      };
    },
  },
  {
    command: '/error',
    title: 'An error event',
    description: 'Some words, an `error`, and the end.',
    async *play(run) {
      yield* say(run, 'I was about to say that');
      yield {
        event: 'error',
        data: { error: { code: 'rehearsed', message: 'Something broke on the way.' } },
      };
    },
  },
  {
    command: '/expire',
    title: 'Out of time',
    description: 'Some words, then `run.expired`.',
    async *play(run) {
      yield* say(run, 'This takes longer than');
      yield {
        event: 'run.expired',
        data: { reason: 'time_limit', error: { code: 'time_limit', message: 'The answer took too long.' } },
      };
    },
  },
  {
    command: '/cancelled',
    title: 'Cancelled elsewhere',
    description: 'Some words, then `run.cancelled`.',
    async *play(run) {
      yield* say(run, 'Somebody stops this');
      yield { event: 'run.cancelled' };
    },
  },
  {
    command: '/slow',
    title: 'A slow network',
    description: 'A word a second; `/slow 3` sets the seconds.',
    async *play(run, argument) {
      const wait = numberOf(argument, 1, 30) * 1000;
      yield status('slow', 'This takes its time');
      for (const word of 'Good things take time, and so does this answer.'.split(/(?<= )/)) {
        await waitAtPace(run, wait);
        yield itemDelta({ id: '1', response_type: 'text', text: word });
      }
    },
  },
  {
    command: '/stall',
    title: 'Silence',
    description: 'Some words, then nothing for 20 seconds; `/stall 40` sets the seconds.',
    async *play(run, argument) {
      yield* say(run, 'I have to think about that for a while. ');
      await waitAtPace(run, numberOf(argument, 20, 600) * 1000);
      yield* say(run, 'There it is: **yes**.');
    },
  },
  {
    command: '/drop',
    title: 'A lost connection',
    description: 'The connection breaks in the middle; the run goes on and can be resumed.',
    async *play(run) {
      yield* say(run, 'The line will break about here, ');
      run.dropReaders();
      await waitAtPace(run, 400);
      yield* say(run, 'and when you come back **nothing is missing** and nothing is said twice.');
    },
  },
  {
    command: '/history',
    title: 'What was said',
    description: 'Lists the messages that the agent knows in this thread.',
    async *play(run) {
      const lines = run.history.map(
        (message, place) =>
          `${place + 1}. *${message.role ?? '?'}*: ${JSON.stringify(message.content).slice(0, 120).replaceAll('`', '')}`,
      );
      yield* say(
        run,
        lines.length === 0 ? 'Nothing was said before this.' : `Before this:\n\n${lines.join('\n')}`,
      );
    },
  },
  {
    command: '/request',
    title: 'What was sent',
    description: 'Shows the input of the agent as JSON.',
    async *play(run) {
      const {
        message,
        llmParams,
        guardrails,
        context,
        contextVariables,
        additionalParameters,
        environmentId,
        version,
      } = run;
      const input = {
        message,
        llm_params: llmParams,
        guardrails,
        context,
        context_variables: contextVariables,
        additional_parameters: additionalParameters,
        environment_id: environmentId,
        version,
      };
      const text = `\`\`\`json\n${JSON.stringify(input, null, 2)}\n\`\`\``;
      for (let at = 0; at < text.length; at += 200)
        yield itemDelta({ id: '1', response_type: 'text', text: text.slice(at, at + 200) });
    },
  },
  {
    command: '/personal',
    title: 'Personal data',
    description: 'An answer with an email address, a phone number and a card number, to test guardrails.',
    play: (run) =>
      say(
        run,
        'The owner is on board. Write to ada@example.com or call +44 20 7946 0958. The card is 4111 1111 1111 1111 and the account GB82 WEST 1234 5698 7654 32. That is all.',
      ),
  },
  {
    command: '/context',
    title: 'Context that grows',
    description: 'Counts turns in the context that the run returns.',
    async *play(run) {
      const before = run.context['turns'];
      const turns = typeof before === 'number' ? before + 1 : 1;
      yield* say(run, `This is turn **${turns}** by the context I was handed.`);
      yield { event: 'run.completed', data: { context: { ...run.context, turns } } };
    },
  },
];

async function* help(run: AgentRun): AsyncGenerator<AgentEvent> {
  yield status('listing', `${speaker} looks through its notes`);
  const rows = scriptedScenarios.map(({ command, description }) => `- \`${command}\` ${description}`);
  yield itemDelta({
    id: '1',
    response_type: 'text',
    text: `Here is what I can show:\n\n${rows.join('\n')}\n\nAnything else you write is answered in plain words.`,
  });
  await waitAtPace(run, 1);
}
