/** A scenario: the message to send, and what to look for. */
export interface Scenario {
  readonly title: string;
  /** The visitor's message: a command of the demo agent, or plain text. */
  readonly says: string;
  readonly watch: string;
  /** Settings that it needs beside the demo agent. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Leaves it in the composer for the visitor to send. */
  readonly isDraft?: boolean;
}

export interface ScenarioGroup {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

export const scenarioGroups: readonly ScenarioGroup[] = [
  {
    title: 'Answers',
    scenarios: [
      {
        title: 'Plain answer',
        says: 'Is a berth for 11 m free this weekend?',
        watch: 'Text grows under the question; Send has become Stop.',
      },
      {
        title: 'Markdown',
        says: '/markdown',
        watch: 'Headings, lists, a table and code, with no flicker of raw marks.',
      },
      {
        title: 'Long Markdown',
        says: '/long',
        watch: 'Scroll up while it streams: nothing jumps, “New below” appears.',
      },
      { title: 'Code', says: '/code', watch: 'Colours arrive when a block is complete; each has its Copy.' },
      {
        title: 'Mathematics',
        says: '/mathematics',
        watch: 'A formula is its source until it is whole; the wide one scrolls by itself.',
      },
      { title: 'Several messages', says: '/several', watch: 'Three messages in one run, one after another.' },
      { title: 'Sources', says: '/citations', watch: 'Numbered marks in the text, the sources below.' },
    ],
  },
  {
    title: 'At work',
    scenarios: [
      {
        title: 'Tools',
        says: '/tools',
        watch: 'One quiet line while it works; the steps are one click away.',
      },
      { title: 'Reasoning', says: '/thinking', watch: 'Folded away; open it while it grows.' },
      { title: 'Plan', says: '/plan', watch: 'Its steps are ticked off one by one.' },
      { title: 'Every event', says: '/events', watch: 'All kinds of the interface in one run; see Events.' },
    ],
  },
  {
    title: 'More than text',
    scenarios: [
      { title: 'Every content item', says: '/items', watch: 'Options, cards, tables, media and the rest.' },
      { title: 'A form', says: '/form', watch: 'Send it empty: each field shows its error.' },
      {
        title: 'A long form',
        says: '/form long',
        watch: 'Groups, lists to add to, fields that depend on others.',
      },
      {
        title: 'A document',
        says: '/request',
        watch: 'Attach a file (paperclip, paste or drop) and send: its id goes along.',
        settings: { documents: 'true' },
        isDraft: true,
      },
      {
        title: 'Interrupt',
        says: '/interrupt',
        watch: 'The agent stops to ask; the composer is free at once.',
      },
    ],
  },
  {
    title: 'When it goes wrong',
    scenarios: [
      {
        title: 'Failure',
        says: '/fail',
        watch: 'The text so far stays, with Retry under it. The agent’s reason is in Events.',
      },
      { title: 'Expiry', says: '/expire', watch: 'It took too long; one button tries again.' },
      {
        title: 'Drop and resume',
        says: '/drop',
        watch: 'The line breaks half-way and goes on: nothing lost, nothing twice.',
      },
      { title: 'Silence', says: '/stall', watch: 'After 15 seconds it says so and offers Stop.' },
      { title: 'Hostile text', says: '/hostile', watch: 'Scripts and odd links come out as text.' },
      {
        title: 'Answer from outside',
        says: '/later',
        watch: 'Close the chat: the answer counts on the launcher.',
      },
    ],
  },
];

/** Every scenario of the page. */
export const scenarios: readonly Scenario[] = scenarioGroups.flatMap((group) => group.scenarios);
