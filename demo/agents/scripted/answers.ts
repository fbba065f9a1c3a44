import { plainTextOf, type AgentEvent, type AgentRun } from '../../../src/service/agents/agent.ts';
import { waitAtPace } from '../../../src/service/agents/pace.ts';
import { afterDecisions, decisionsIn } from './decisions.ts';
import { afterPageTool, pageToolResultIn } from './page-tools.ts';
import { itemDelta, say, status, useTool } from './speech.ts';
import { sampleItems } from './items.ts';
import { describeForm, thanksFor } from './plays.ts';

interface Answer {
  /** Matches the visitor's text. */
  readonly about: RegExp;
  readonly play: (run: AgentRun, text: string) => AsyncIterable<AgentEvent>;
}

/** The answers of Harbour Help; the first match wins. */
const answers: readonly Answer[] = [
  {
    about: /\b(tide|tides|high water|low water|draught|depth)\b/i,
    async *play(run) {
      yield status('lookingUp', 'Reading the tide table');
      yield* useTool(run, {
        id: 'call-tides',
        name: 'tide_table',
        args: { port: 'Grey Quay', days: 3 },
        response:
          '[{"day":"Monday","high":"06:12","metres":4.2},{"day":"Tuesday","high":"06:58","metres":4.4},{"day":"Wednesday","high":"07:45","metres":4.5}]',
      });
      yield* say(
        run,
        'High water at Grey Quay:\n\n| Day | High water | Height |\n|---|---|--:|\n| Monday | 06:12 | 4.2 m |\n| Tuesday | 06:58 | 4.4 m |\n| Wednesday | 07:45 | 4.5 m |\n\nThe sill has **1.8 m** at low water. With more draught than that, come two hours either side of high water.',
      );
    },
  },
  {
    about: /\b(berths?|pontoons?|book|mooring|free tonight|places?)\b/i,
    async *play(run) {
      yield status('lookingUp', 'Looking for free berths');
      yield* useTool(run, {
        id: 'call-berths',
        name: 'free_berths',
        args: { night: 'tonight' },
        response: '["C 14","C 22","D 3"]',
      });
      yield* say(
        run,
        'Three berths are **free tonight**:\n\n1. **C 14**, 12 m, € 26.50\n2. **C 22**, 10 m, € 22.00\n3. **D 3**, 18 m, € 41.00\n\nAll have water and electricity. Shall I keep one for you?',
        'answer',
      );
      const { option } = sampleItems;
      if (option) yield itemDelta({ ...option, id: 'next', title: 'What next?', description: null });
    },
  },
  {
    about: /\b(invoices?|bills?|pay|paid|receipt|cost|price)\b/i,
    async *play(run) {
      yield status('lookingUp', 'Looking up your invoices');
      yield* useTool(run, {
        id: 'call-invoices',
        name: 'list_invoices',
        args: { boat: 'Marigold' },
        response:
          '[{"number":"2026-0417","total":79.5,"due":"2026-06-12","paid":false},{"number":"2026-0398","total":53,"paid":true}]',
      });
      yield* say(
        run,
        'There are two invoices for the **Marigold**:\n\n| Number | Total | |\n|---|--:|---|\n| 2026-0417 | € 79.50 | due on 12 June |\n| 2026-0398 | € 53.00 | paid, thank you |\n\nYou can pay at the office or [online](https://example.com/pay).',
      );
    },
  },
  {
    about: /\b(open|hours|office|when|phone|call|contact|human|person|somebody)\b/i,
    async *play(run) {
      yield* say(
        run,
        'The office is open **08:00 to 18:00** every day. Outside these hours the duty officer listens on **VHF 12**.\n\n> Late arrivals: lie at the end of pontoon C and come by in the morning.',
      );
    },
  },
  {
    about: /\b(hello|hi|hey|good (morning|evening|day)|hallo|bonjour|hola|ciao)\b/i,
    async *play(run) {
      yield* say(
        run,
        'Hello, and welcome to **Grey Quay**! I can help with\n\n- free **berths** and bookings\n- **tides** and depths\n- your **invoices**\n\nWhat brings you in? Type `/help` for everything else I can show.',
      );
    },
  },
  {
    about: /\b(thanks?|thank you|merci|danke|gracias)\b/i,
    async *play(run) {
      yield* say(run, 'You are welcome. Fair winds! ⛵');
    },
  },
];

/** Answers a message that is not a command: acknowledges a submitted form, handles the reply to the agent's question, or
 * matches free text. */
export async function* answerFreeText(run: AgentRun): AsyncGenerator<AgentEvent> {
  const text = plainTextOf(run.message);
  const decisions = decisionsIn(run.message);
  const result = pageToolResultIn(run.message);
  const form = describeForm(run.message);
  await waitAtPace(run, 250);
  if (result) {
    yield* afterPageTool(run, result);
    return;
  }
  if (decisions.length > 0) {
    yield* afterDecisions(run, decisions);
    return;
  }
  if (form !== undefined) {
    yield* say(run, thanksFor(form));
    return;
  }
  const asked = run.history.find((message) => message.id === run.message.parent_message_id);
  if (asked && JSON.stringify(asked.content).includes('"id":"choice"')) {
    yield* say(
      run,
      /\bno\b/i.test(text)
        ? 'Very well, she **stays at C 14**.'
        : 'Done: the Marigold moves to **D 3** tonight. The difference is on your next invoice.',
    );
    return;
  }
  const answer = answers.find(({ about }) => about.test(text));
  if (answer) {
    yield* answer.play(run, text);
    return;
  }
  const quoted = text.trim().length === 0 ? 'that' : `“${Array.from(text.trim()).slice(0, 120).join('')}”`;
  yield* say(
    run,
    `You asked about ${quoted}. I am only a demonstration, so here is what I *do* know:\n\n- **Berths**: C 14, C 22 and D 3 are free tonight.\n- **Tides**: high water tomorrow at 06:58, 4.4 m.\n- **Office**: 08:00–18:00, VHF 12.\n\nType \`/help\` to see all I can show.`,
  );
}
