// The agent in the screenshots: a module agent of the built service.

const asked = (run) => run.message.content.map((item) => item.text ?? '').join(' ');

/** A tool call with its result, for the list of steps. */
function* tool(id, name, args, content) {
  const details = (step) => ({
    event: 'run.step.delta',
    data: { delta: { role: 'assistant', step_details: [step] } },
  });
  yield details({ type: 'tool_calls', tool_calls: [{ id, name, args }] });
  yield details({ type: 'tool_response', name, tool_call_id: id, content });
}

const whole = (...content) => ({
  event: 'message.created',
  data: { message: { role: 'assistant', content } },
});

const berthText = [
  'Yes, two berths fit **11 m** from Friday to Sunday. The price depends on power:',
  '| Berth | Power | Two nights |\n| :-- | :-- | --: |\n| C 14 | 16 A | € 86.00 |\n| D 03 | none | € 71.00 |',
  'Both can be booked until `18:00` today. I would take [C 14](https://harbour.example/c14), it is nearer the gate.',
].join('\n\n');

const rangeOf = (words) => {
  const start = berthText.indexOf(words);
  return { start, end: start + words.length };
};

const berths = {
  response_type: 'conversational_search',
  id: 'berths',
  text: berthText,
  citations_title: 'Sources',
  citations: [
    {
      title: 'Berth plan, week 47',
      text: 'C 14 and D 03 are free from Friday noon.',
      url: 'https://harbour.example/plan',
      ranges: [rangeOf('Sunday')],
      search_result_idx: 0,
    },
    {
      title: 'Marina map',
      text: 'Pontoon C lies beside the east gate.',
      url: 'https://harbour.example/map',
      ranges: [rangeOf('nearer the gate')],
      search_result_idx: 1,
    },
  ],
  search_results: [],
};

const booking = {
  response_type: 'form',
  id: 'booking',
  name: 'booking',
  json_schema: {
    type: 'object',
    title: 'Your booking',
    required: ['boat', 'email'],
    properties: {
      boat: { type: 'string', title: 'Boat name' },
      email: { type: 'string', format: 'email', title: 'E-mail' },
    },
  },
  ui_schema: {
    'ui:submitButtonOptions': { submitText: 'Book berth' },
    'ui:cancelButtonOptions': { showCancel: true, cancelText: 'Cancel' },
  },
  form_data: { boat: 'Albatros' },
};

const flags =
  'Austria,Belgium,Croatia,Cyprus,Denmark,Estonia,Finland,France,Germany,Greece,Iceland,Ireland,Italy,Latvia,Malta,Netherlands,Norway,Poland,Portugal,Spain,Sweden,Switzerland';

const registration = {
  response_type: 'form',
  id: 'registration',
  name: 'registration',
  json_schema: {
    type: 'object',
    title: 'Your boat',
    properties: {
      flag: { type: 'string', title: 'Flag state', enum: flags.split(',') },
      arrival: { type: 'string', format: 'date', title: 'Arrival' },
    },
  },
  ui_schema: { flag: { 'ui:widget': 'combobox' } },
  form_data: { arrival: '2026-12-04' },
};

const long = [
  '## Before you cast off',
  'The channel is marked from the outer buoy to the inner pier. Keep the **green cones** to starboard on the way in, and mind the ferry: it leaves at every full hour and does not give way.',
  '1. Call the lock on channel 12.\n2. Wait for two green lights.\n3. Keep under three knots until the bridge.',
  '> Depths are those of the lowest tide of the year.',
  '```js\nconst tide = await fetch("/tides/today")\nconst { high, low } = await tide.json()\n```',
  '### What to have ready\n\n- The papers of the boat\n- Your insurance, with its number\n- A line of at least **12 m** for each side',
  'More is in the [almanac](https://harbour.example/almanac), and the office answers until `18:00`.',
].join('\n\n');

/** @param {import('../../src/service/agents/agent.ts').AgentRun} run */
export default async function* answer(run) {
  const words = asked(run);
  if (words.includes('berth for 11 m')) {
    yield* tool('call-1', 'Looked up berths', { length: 11 }, '2 free');
    yield* tool('call-2', 'Read the price list', { week: 47 }, 'power by ampere');
    yield whole(berths);
  } else if (words.includes('Book C 14')) {
    yield* tool('call-1', 'Looked up berth C 14', { berth: 'C 14' }, 'free');
    yield* tool('call-2', 'Reserved for 15 minutes', { berth: 'C 14' }, 'reserved');
    const text = 'I hold **C 14** for you. Two details and it is booked:';
    yield whole({ response_type: 'text', id: 'text', text }, booking);
  } else if (words.includes('Register')) {
    yield whole(
      { response_type: 'text', id: 'text', text: 'Two details, and your boat is in our books:' },
      registration,
    );
  } else if (words.includes('from code')) {
    yield whole(
      {
        response_type: 'text',
        id: 'text',
        text: 'Ask the local endpoint; it answers in `°C`:\n\n```js\nconst r = await fetch("/sensor/1")\nconst { temp } = await r.json()\n```\n\nWhich kiln do you have?',
      },
      {
        response_type: 'option',
        id: 'kiln',
        preference: 'button',
        options: ['Series 3', 'Series 5', 'Not sure'].map((label) => ({
          label,
          value: { input: { text: label } },
        })),
      },
    );
  } else if (words.includes('everything')) {
    yield whole({ response_type: 'text', id: 'text', text: long });
  } else if (words.includes('tide')) {
    yield 'High water is at **14:20** on Friday, 3.9 m above the lowest.\n\nUntil then the bar can be crossed by boats of up to';
    yield { event: 'run.step.thinking', data: { message: { text: 'Checking the tide tables…' } } };
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
  } else if (words.includes('invoice')) {
    yield 'Your last invoice is number **2047**. I will look up its';
    yield { event: 'run.failed', data: { error: { message: 'The office’s books cannot be reached.' } } };
  } else {
    yield 'Ask me about berths, tides and invoices.';
  }
}
