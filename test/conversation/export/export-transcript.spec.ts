import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../../src/conversation/conversation.ts';
import { exportTranscript } from '../../../src/conversation/export/export-transcript.ts';
import { mergeHistory } from '../../../src/conversation/merge-history.ts';

test('an answer follows its question, also when the service stored another turn in between', () => {
  const stored = [
    { id: '1', role: 'user', run_id: 'R1', content: [{ response_type: 'text', text: 'First?' }] },
    { id: '2', role: 'user', run_id: 'R2', content: [{ response_type: 'text', text: 'Second?' }] },
    { id: '3', role: 'assistant', run_id: 'R1', content: [{ response_type: 'text', text: 'First.' }] },
    { id: '4', role: 'assistant', run_id: 'R2', content: [{ response_type: 'text', text: 'Second.' }] },
  ];
  const conversation = mergeHistory(emptyConversation, stored, { at: 0 });
  const { messages } = JSON.parse(exportTranscript(conversation, 'json')) as { messages: { text: string }[] };
  expect(messages.map(({ text }) => text)).toEqual(['First?', 'First.', 'Second?', 'Second.']);
  expect(exportTranscript(conversation, 'markdown')).toMatch(/First\?.*First\..*Second\?.*Second\./s);
});

test('an answer that was cut in a code block does not turn what follows into code', () => {
  const texts = ['```js\nlet a;\n```\nAll `of` it', 'Cut:\n~~~~sh\n```\nls', '``` `a` ```', 'Cut:\n```'];
  const stored = texts.map((text, index) => ({ id: `${index}`, role: 'assistant', content: text }));
  const markdown = exportTranscript(mergeHistory(emptyConversation, stored, { at: 0 }), 'markdown');
  const said = markdown
    .split('\n\n---\n\n')
    .map((part) => part.trimEnd().split('\n\n').slice(1).join('\n\n'));
  expect(said).toEqual([texts[0], `${texts[1]}\n~~~~`, texts[2], `${texts[3]}\n\`\`\``]);
});

test('the data of a decision say what became of it since it was asked', () => {
  const question = {
    response_type: 'forms',
    sub_type: 'tool_approval',
    id: 'C1',
    form_data: { nights: 2 },
    decision: { state: 'asked', expires_at: '2026-01-31T09:41:00Z' },
  };
  const stored = [{ id: '1', role: 'assistant', run_id: 'R1', content: [question] }];
  const [asked] = mergeHistory(emptyConversation, stored, { at: 0 }).messages;
  const decided = { ...asked!, answers: { C1: { action: 'submit', data: { nights: 3 } } as const } };
  const conversation = { ...emptyConversation, messages: [decided] };
  const { messages } = JSON.parse(exportTranscript(conversation, 'json')) as {
    messages: { content: { decision?: unknown }[] }[];
  };
  expect(messages[0]?.content[0]?.decision).toEqual({
    state: 'approved',
    expires_at: '2026-01-31T09:41:00Z',
    form_data: { nights: 3 },
  });
});

for (const [action, told, decision] of [
  ['submit', '- Nights: 3\n\n[Approved]', { state: 'approved', form_data: { nights: 3 } }],
  [
    'cancel',
    '- Nights: 2\n\n[Declined: Too dear]',
    { state: 'declined', form_data: { nights: 2 }, reason: 'Too dear' },
  ],
] as const)
  test(`a decision that only a hidden answer of the history tells is in the transcript: ${action}`, () => {
    const question = {
      response_type: 'forms',
      sub_type: 'tool_approval',
      id: 'C1',
      form_data: { nights: 2 },
    };
    const given = action === 'submit' ? { form_data: { nights: 3 } } : { reason: 'Too dear' };
    const answer = { ...question, response_type: 'form_operation', form_operation: action, ...given };
    const stored = [
      { id: '1', role: 'assistant', run_id: 'R1', content: [question] },
      {
        id: '2',
        role: 'user',
        run_id: 'R2',
        parent_message_id: '1',
        content: [answer],
        additional_properties: { display_properties: { skip_render: true } },
      },
    ];
    const conversation = mergeHistory(emptyConversation, stored, { at: 0 });
    expect(exportTranscript(conversation, 'markdown')).toContain(told);
    const { messages } = JSON.parse(exportTranscript(conversation, 'json')) as {
      messages: { content: { decision?: unknown }[] }[];
    };
    expect(messages[0]?.content[0]?.decision).toEqual(decision);
  });

for (const [result, told] of [
  [{ content: 'Done.' }, '[Allowed and done]'],
  [{ error: 'declined' }, '[Not allowed]'],
  [{ error: 'gone' }, '[Not done: the page no longer offers this]'],
  [{ error: 'timeout' }, '[Allowed; whether it happened is unknown]'],
  [{ error: 'out of reach' }, '[Allowed, but it failed: out of reach]'],
] as const)
  test(`what came of a call of the page's tool is in the transcript: ${told}`, () => {
    const item = (fields: object) => [{ response_type: 'user_defined', id: '1', user_defined: fields }];
    const call = { type: 'page_tool_call', id: 'P1', name: 'highlight_berth', args: { berth: 'C 14' } };
    const skip = { display_properties: { skip_render: true } };
    const answer = {
      id: '2',
      role: 'user',
      run_id: 'R2',
      content: item({ type: 'page_tool_result', id: 'P1', ...result }),
      additional_properties: skip,
    };
    const stored = [
      { id: '1', role: 'assistant', run_id: 'R1', content: item(call) },
      ...(result ? [answer] : []),
    ];
    const conversation = mergeHistory(emptyConversation, stored, { at: 0 });
    expect(exportTranscript(conversation, 'markdown')).toContain(
      `**highlight_berth**\n\n- Berth: C 14\n\n${told}`,
    );
    const { messages } = JSON.parse(exportTranscript(conversation, 'json')) as {
      messages: { content: { result?: unknown }[] }[];
    };
    expect(messages.map(({ content }) => content[0]?.result)).toEqual([result]);
  });
