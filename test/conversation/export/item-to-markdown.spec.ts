import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../../src/conversation/conversation.ts';
import { reduceRunEvent } from '../../../src/conversation/index.ts';
import { readItem } from '../../../src/conversation/items.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';
import { itemMarkdown } from '../../../src/conversation/export/item-to-markdown.ts';

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
    'a table whose rows name their columns, and nothing else does',
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
    'what a host made',
    { response_type: 'user_defined', user_defined: { title: 'T', text: 'Map' } },
    '**T**\n\nMap',
  ],
  ['a form', { response_type: 'form', json_schema: { title: 'Booking' } }, '**Booking**'],
  ['a pause', { response_type: 'pause', time: 5 }, ''],
  ['nothing readable', { response_type: 'table', rows: 7, headers: null }, ''],
];

for (const [name, source, markdown] of samples) {
  test(`${name} is copied as a visitor could read it`, () => {
    expect(itemMarkdown(readItem(source, 'i'))).toBe(markdown);
  });
}

test('a file of the conversation holds every item that has words, beside the texts', () => {
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
