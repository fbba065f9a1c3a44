/** The English words for what comes with every finished answer: what stands under it, and what is read of it. */
export const enAnswered = {
  // turn actions
  'actions.label': 'Actions for this answer',
  'actions.copy': 'Copy',
  'actions.copied': 'Copied',
  'actions.regenerate': 'Answer again',
  'feedback.good': 'Good answer',
  'feedback.bad': 'Bad answer',
  'feedback.thanks': 'Thank you for your feedback',

  // what a screen reader is told
  'announce.rest': 'The rest is in the conversation.',
  'announce.code': { one: 'Code, {count} line.', other: 'Code, {count} lines.' },
  'announce.table': { one: 'Table, {count} row.', other: 'Table, {count} rows.' },
  'announce.choices': 'Choices: {list}',
  'announce.form': 'Form to fill in: {name}',
  'announce.answer': '{name} said: {text}',
  'announce.done': 'Answer complete.',
  'announce.unread': { one: '{count} new message', other: '{count} new messages' },
  'announce.reconnected': 'Connected again.',
} as const;
