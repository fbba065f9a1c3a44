import { expect, test } from '@playwright/test';
import { emptyConversation, type ConversationMessage } from '../../../src/conversation/conversation.ts';
import { createMessage } from '../../../src/conversation/factories.ts';
import { reduceRunEvent } from '../../../src/conversation/index.ts';
import { readItem, readItems } from '../../../src/conversation/items.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';
import { itemMarkdown } from '../../../src/conversation/export/item-to-markdown.ts';
import { tries } from '../../tools/quick.ts';

const text = (words: string): Record<string, unknown> => ({ response_type: 'text', text: words });

const samples: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['a text', text('**Hi**'), '**Hi**'],
  [
    'an answer from documents',
    {
      response_type: 'conversational_search',
      text: 'At six.',
      citations: [{ title: 'Tides', url: 'https://a.example/t' }, { search_result_idx: '0' }],
      search_results: [{ title: 'Found' }],
    },
    'At six.\n\n1. [Tides](https://a.example/t)\n2. Found',
  ],
  [
    'options',
    { response_type: 'option', title: 'Which?', options: [{ label: 'A', value: 'a' }, 'B'] },
    '**Which?**\n\n- A\n- B',
  ],
  [
    'a table',
    {
      response_type: 'table',
      title: 'Berths',
      headers: ['Berth', 'Price'],
      rows: [{ cells: ['C|14', 86] }, ['D']],
    },
    '**Berths**\n\n| Berth | Price |\n| --- | --- |\n| C\\|14 | 86 |\n| D |  |',
  ],
  [
    'a table whose rows name their columns, in the order of its headers',
    {
      response_type: 'table',
      headers: [{ key: 'berth', header: 'Berth' }, 'price'],
      rows: [{ price: 86, berth: 'C14', __proto__: null }, { berth: { text: 'D' } }, ['E', 3], 'x'],
    },
    '| Berth | price |\n| --- | --- |\n| C14 | 86 |\n| D |  |\n| E | 3 |\n|  |  |',
  ],
  [
    'a table without headers, whose rows name their columns',
    { response_type: 'table', rows: [{ berth: 'C14' }, { berth: 'D', price: 71 }] },
    '| berth | price |\n| --- | --- |\n| C14 |  |\n| D | 71 |',
  ],
  [
    'a card in a carousel',
    {
      response_type: 'carousel',
      items: [{ body: [text('Room 1')], footer: [{ response_type: 'button', label: 'Take' }] }],
    },
    'Room 1\n\nTake',
  ],
  ['a grid', { response_type: 'grid', rows: [{ cells: [{ items: [text('a')] }, 'b'] }] }, 'a\n\nb'],
  [
    'a picture, and one inside the message',
    {
      response_type: 'card',
      body: [
        { response_type: 'image', source: 'https://a.example/p.png', title: 'P' },
        { response_type: 'image', source: 'data:image/png;base64,AA==', alt_text: 'Q' },
      ],
    },
    '![P](https://a.example/p.png)\n\nQ',
  ],
  [
    'files',
    { response_type: 'file_download', files: [{ fileName: 'a.pdf', url: 'https://a.example/a' }] },
    '- [a.pdf](https://a.example/a)',
  ],
  [
    'a file with spaces, parentheses and brackets in its name',
    {
      response_type: 'file_download',
      files: [{ fileName: 'plan [B] (1).pdf', url: 'https://a.example/plan (1).pdf' }],
    },
    '- [plan \\[B\\] (1).pdf](<https://a.example/plan (1).pdf>)',
  ],
  [
    'an item of the host page',
    { response_type: 'user_defined', user_defined: { title: 'T', text: 'Map' } },
    '**T**\n\nMap',
  ],
  ['a form', { response_type: 'form', json_schema: { title: 'Booking' } }, '**Booking**'],
  ['a pause', { response_type: 'pause', time: 5 }, ''],
  ['nothing readable', { response_type: 'table', rows: 7, headers: null }, ''],
];

for (const [name, source, markdown] of samples) {
  test(`${name} is exported as readable text`, () => {
    expect(itemMarkdown(readItem(source, 'i'))).toBe(markdown);
  });
}

const source = 'https://a.example/m';
/** One item of every type of the interface, and its text in an exported conversation. */
const types: readonly (readonly [Record<string, unknown>, string])[] = [
  [text('Hi'), 'Hi'],
  [
    { response_type: 'option', title: 'Which?', description: 'One of', options: ['A'] },
    '**Which?**\n\nOne of\n\n- A',
  ],
  [
    { response_type: 'image', source, title: 'Plan', description: 'Of the quay', alt_text: 'Map' },
    `![Map](${source})\n\nPlan\n\nOf the quay`,
  ],
  [
    { response_type: 'video', source, title: 'Film', description: 'Ten seconds' },
    `[Film](${source})\n\nTen seconds`,
  ],
  [{ response_type: 'audio', source, title: 'Song' }, `[Song](${source})`],
  [{ response_type: 'iframe', source, title: 'Tides' }, `[Tides](${source})`],
  [{ response_type: 'date', title: 'When?' }, '**When?**'],
  [{ response_type: 'button', label: 'Press' }, 'Press'],
  [
    {
      response_type: 'card',
      body: [text('B'), { response_type: 'user_defined', user_defined: { berth: 'C14' } }],
    },
    'B\n\n- Berth: C14',
  ],
  [{ response_type: 'inline_error', text: 'No tides', debug: { secret: 1 } }, 'No tides'],
  [
    {
      response_type: 'user_defined',
      user_defined: { title: 'Tide', nextTide: { height_m: 2.5, rising: true }, at: ['9:00', '21:10'] },
    },
    '**Tide**\n\n- Next tide:\n  - Height m: 2.5\n  - Rising: Yes\n- At: 9:00, 21:10',
  ],
  [{ response_type: 'user_defined', user_defined: 'Plain' }, 'Plain'],
  [
    {
      response_type: 'user_defined',
      user_defined: {
        type: 'page_tool_call',
        id: 'call-1',
        name: 'add_to_basket',
        title: 'Add to the basket',
        args: { item: 'Rope' },
        expires_at: '2026-12-28T09:30:00Z',
      },
    },
    '**Add to the basket**\n\n- Item: Rope',
  ],
  [
    { response_type: 'connect_to_agent', agent_available: { message: 'Someone is there' } },
    'Someone is there',
  ],
  [{ response_type: 'system', title: 'Joined' }, '**Joined**'],
  [{ response_type: 'file_upload' }, '[file_upload]'],
  [
    { response_type: 'disconnected_apps', connection_status: 'pending', connection_message: 'Sign in' },
    'pending: Sign in',
  ],
  [
    { response_type: 'conversational_search', text: 'Six.', citations: [{ text: 'At six' }] },
    'Six.\n\n1. At six',
  ],
  [{ response_type: 'gauge', title: 'Wind', knots: 12 }, '**Wind**\n\n- Knots: 12'],
];

for (const [item, markdown] of types) {
  test(`an exported conversation contains the text of ${JSON.stringify(item).slice(0, 70)}`, () => {
    expect(fileOf([said('assistant', [item])])).toBe(markdown);
  });
}

const form = {
  response_type: 'forms',
  id: 'F',
  json_schema: {
    title: 'Berth',
    definitions: {
      size: { enum: [9, 12], enumNames: ['Small', 'Large'] },
      key: { type: 'string', format: 'password' },
    },
    properties: {
      name: { title: 'Name of the boat' },
      size: { $ref: '#/definitions/size' },
      pin: { $ref: '#/definitions/key' },
      contact: { properties: { phone: { title: 'Telephone' }, code: {} } },
      crew: { items: { properties: { age: {} } } },
      plan: { format: 'data-url' },
    },
  },
  ui_schema: { contact: { code: { 'ui:widget': 'password' } } },
};
const given = {
  name: 'Marigold',
  size: 12,
  pin: 'hunter2',
  contact: { phone: '1', code: 'hunter2' },
  crew: [{ age: 7 }],
  plan: 'data:text/plain;name=plan%20b.txt;base64,AA==',
};

test('an exported conversation contains form answers without passwords', () => {
  const answers = { F: { action: 'submit' as const, data: given } };
  const operation = { response_type: 'form_operation', id: 'F', form_operation: 'submit', form_data: given };
  const messages = [
    { ...said('assistant', [form], 'M'), answers },
    { ...said('user', [operation]), parentMessageId: 'M' },
  ];
  expect(fileOf(messages)).toBe(
    [
      '**Berth**\n',
      '- Name of the boat: Marigold',
      '- Size: Large',
      '- Pin: ••••••',
      '- Contact:',
      '  - Telephone: 1',
      '  - Code: ••••••',
      '- Crew:',
      '  - 1:',
      '    - Age: 7',
      '- Plan: plan b.txt',
      '\n[Submitted]',
    ].join('\n'),
  );
  for (const known of [messages, messages.slice(1)]) {
    const conversation = { ...emptyConversation, messages: known };
    for (const format of ['json', 'jsonl'] as const)
      expect(exportTranscript(conversation, format)).not.toContain('hunter2');
  }
  expect(exportTranscript({ ...emptyConversation, messages }, 'json')).toContain('Marigold');
  const cancelled = {
    ...said('assistant', [form]),
    answers: { F: { action: 'cancel' as const, data: undefined } },
  };
  expect(fileOf([cancelled])).toBe('**Berth**\n\n[Cancelled]');
});

const question = {
  response_type: 'forms',
  sub_type: 'tool_approval',
  id: 'D',
  name: 'Book a berth',
  json_schema: { properties: { berth: { title: 'Berth' }, nights: { title: 'Nights' } } },
  form_data: { berth: 'B2', nights: 2 },
};
const approved = { action: 'submit', data: { berth: 'B2', nights: 3 } } as const;
const declined = { action: 'cancel', data: {} } as const;

for (const [what, stored, answer, expected] of [
  ['that is open', { state: 'asked' }, undefined, '- Berth: B2\n- Nights: 2\n\n[Not decided yet]'],
  ['of a back end', undefined, undefined, '- Berth: B2\n- Nights: 2\n\n[Not decided yet]'],
  ['that was approved here', { state: 'asked' }, approved, '- Berth: B2\n- Nights: 3\n\n[Approved]'],
  ['that was declined here', { state: 'asked' }, declined, '- Berth: B2\n- Nights: 2\n\n[Declined]'],
  [
    'that was approved elsewhere',
    { state: 'done', form_data: { berth: 'C7', nights: 2 } },
    undefined,
    '- Berth: C7\n- Nights: 2\n\n[Approved]',
  ],
  [
    'that was declined elsewhere',
    { state: 'declined', reason: 'Too dear' },
    undefined,
    '- Berth: B2\n- Nights: 2\n\n[Declined: Too dear]',
  ],
  [
    'of unknown outcome',
    { state: 'unknown' },
    approved,
    '- Berth: B2\n- Nights: 3\n\n[Approved; whether it happened is unknown]',
  ],
] as const) {
  test(`an exported decision ${what} has its arguments and what was decided`, () => {
    const item = stored ? { ...question, decision: stored } : question;
    const asked = { ...said('assistant', [item]), ...(answer ? { answers: { D: answer } } : {}) };
    expect(fileOf([asked])).toBe(`**Book a berth**\n\n${expected}`);
  });
}

/** A message as the conversation holds it. */
function said(role: string, content: unknown, messageId?: string): ConversationMessage {
  const known = {
    id: `${role}-${messageId}`,
    role,
    status: 'complete',
    runKey: undefined,
    createdAt: 0,
  } as const;
  return { ...createMessage(known), messageId, items: readItems(content) };
}

/** The exported Markdown without the lines that name the speaker. */
function fileOf(messages: readonly ConversationMessage[]): string {
  const file = exportTranscript({ ...emptyConversation, messages }, 'markdown');
  return file
    .split('\n---\n\n')
    .map((part) => part.replace(/^\*\*.*\n\n/, '').trim())
    .join('\n\n');
}

test('an exported conversation contains every item with text', () => {
  const content = [
    text('Choose:'),
    { response_type: 'option', options: ['A', 'B'] },
    { response_type: 'pause' },
  ];
  const search = { response_type: 'conversational_search', text: 'At six.' };
  const conversation = [content, [search]].reduce(
    (before, items, place) =>
      reduceRunEvent(
        before,
        {
          id: `${place}-0`,
          event: 'message.created',
          data: { message: { id: `m${place}`, content: items } },
        },
        { runKey: undefined, at: 0 },
      ),
    emptyConversation,
  );
  const file = exportTranscript(conversation, 'markdown');
  expect(file).toContain('Choose:\n\n- A\n- B\n');
  expect(file).toContain('At six.');
  expect(file).not.toContain('[');
  expect(exportTranscript(conversation, 'jsonl')).toContain('"text":"At six."');
});

test('a long run of spaces takes no longer than other text', () => {
  const item = readItem({ response_type: 'x', note: `a${' '.repeat(100_000)}b\n \n c` }, 'i');
  const start = performance.now();
  expect(itemMarkdown(item)).toBe(`- Note: a${' '.repeat(100_000)}b c`);
  expect(performance.now() - start).toBeLessThan(2_000);
});

test('a table with very many rows is exported', () => {
  const rows = Array.from({ length: tries(200_000) }, () => ({ cells: ['a', 'b'] }));
  expect(itemMarkdown(readItem({ response_type: 'table', rows }, 'i')).split('\n')).toHaveLength(
    tries(200_000) + 2,
  );
});
