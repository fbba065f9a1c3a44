import { launcherStrings } from '../launcher-strings.ts';

/**
 * The widget's English strings, except those in the folders here: they load with what shows them. Another language does
 * not compile unless it has the same keys. `{name}` is replaced with a value. Entries with `one`/`other` are chosen by
 * `Intl.PluralRules` for `{count}`.
 */
export const en = {
  ...launcherStrings,

  // panel
  'panel.label': 'Chat with {name}',
  'panel.new': 'New chat',
  'panel.threads': 'Conversations',
  'panel.expand': 'Expand',
  'panel.collapse': 'Make smaller',
  'disclosure.ai': 'You are chatting with an AI assistant.',
  'disclosure.mixed': 'An AI assistant answers first; people can join.',
  'disclosure.human': 'People answer here.',

  // transcript
  'transcript.label': 'Conversation',
  'transcript.new-below': 'New below',
  'transcript.earlier': 'Show earlier',
  'transcript.today': 'Today',
  'transcript.yesterday': 'Yesterday',
  'greeting.morning': 'Good morning.',
  'greeting.afternoon': 'Good afternoon.',
  'greeting.evening': 'Good evening.',
  'welcome.title': 'How can I help?',
  'starters.label': 'Suggestions',

  // composer
  'composer.uploading': 'Waiting for the documents to upload',
  'composer.returned': 'What you had not sent yet is back in the message field.',
  'composer.stop': 'Stop',
  'attach.add': 'Attach documents',
  'attach.drop': 'Drop documents here',
  'file.done': 'uploaded',
  'file.failed': '{name} could not be uploaded.',
  'composer.too-long': {
    one: 'Too long by {count} character',
    other: 'Too long by {count} characters',
  },
  'message.queued': 'Waiting to be sent',
  'message.remove-queued': 'Remove',
  'message.not-sent': 'Not sent',
  'message.person': '{name} (a person)',
  'message.documents': { one: '{count} document attached', other: '{count} documents attached' },
  'mention.list': 'People and things to mention',
  'attach.blocked': 'A document could not be uploaded. Upload it again or remove it, then send.',
  'attach.removed': '{name} removed.',

  // status line
  'status.ready': 'Online',
  'status.working': 'Working on it…',
  'status.writing': 'Writing…',
  'status.stalled': 'Still no answer…',
  'status.offline': 'You are offline',
  'status.resuming': 'Reconnecting…',
  'status.waiting': 'Your reply is needed',
  'status.auth-needed': 'Please sign in again',
  'status.failed': 'Something went wrong',

  // notices
  'notice.stopped': 'Stopped',
  'notice.may-continue': 'Stopped here. The assistant may still finish on its side.',
  'notice.no-answer': 'No answer came.',
  'notice.retry': 'Retry',
  'notice.sign-in': 'Sign in',
  'notice.details': 'Details',
  'notice.reference': 'Reference: {code}',
  'notice.busy': 'The service is busy right now.',
  'notice.retry-later': 'Please try again later.',
  'notice.retry-seconds': { one: 'Try again in {count} second.', other: 'Try again in {count} seconds.' },
  'notice.retry-minutes': { one: 'Try again in {count} minute.', other: 'Try again in {count} minutes.' },
  'failure.run': 'Something went wrong while answering.',
  'failure.expired': 'This took too long and was stopped.',
  'failure.interrupted': 'Connection lost. What has arrived so far is kept.',
  'failure.network': 'No connection to the service.',
  'failure.timeout': 'The service did not answer in time.',
  'failure.auth': 'Please sign in again to go on. Your text is kept.',
  'failure.token': 'The chat cannot connect right now. Please try again.',
  'failure.forbidden': 'You have no access to this conversation or assistant. You can start a new chat.',
  'failure.not-found': 'This conversation or assistant does not exist any more.',
  'failure.too-large': 'This message is too large. Shorten it or choose smaller files.',
  'failure.invalid': 'The service did not accept this message.',
  'failure.rate-limit': 'Too many messages at once.',
  'failure.server': 'The service has a problem. Please try again.',
  'failure.format': 'The service sent something unreadable.',
  'failure.guardrail': 'This cannot be answered here.',

  // steps
  'steps.summary': 'Summary',
  'steps.count': { one: '{count} step', other: '{count} steps' },
  'steps.reasoning': 'Reasoning',
  'steps.plan': 'Plan',
  'steps.input': 'Input',
  'steps.output': 'Result',
  'steps.failed': 'failed',
  'steps.done': 'done',
  'steps.active': 'in progress',
  'steps.pending': 'to do',
  'steps.stopped': 'stopped',
  'time.seconds': '{count} s',
  'time.minutes': '{minutes} min {seconds} s',

  // turn actions
  'actions.label': 'Actions for this answer',
  'actions.copy': 'Copy',
  'actions.copied': 'Copied',
  'actions.regenerate': 'Answer again',
  'actions.edit': 'Edit',
  'actions.cancel': 'Cancel',
  'actions.save': 'Send again',
  'feedback.good': 'Good answer',
  'feedback.bad': 'Bad answer',
  'feedback.thanks': 'Thank you for your feedback',

  // content items
  'form.label': 'Form',
  'date.label': 'Date',
  'content.failed': 'This part could not be shown.',
  'content.loading': 'Loading…',
  'content.more': { one: 'Show {count} more', other: 'Show {count} more' },
  'media.image': 'Image',

  // Markdown
  'markdown.load-image': 'Load image from {host}',
  'markdown.copy': 'Copy',
  'markdown.copied': 'Copied',
  'markdown.copy-failed': 'Copying failed',
  'markdown.wrap': 'Wrap',
  'markdown.code': 'Code',
  'markdown.table': 'Table',
  'markdown.formula': 'Formula',
  'markdown.task-done': 'Done',
  'markdown.task-open': 'Not done',

  // announcements
  'transcript.you-said': 'You said',
  'transcript.name-said': '{name} said',
  'announce.started': '{name} is answering.',
  'announce.rest': 'The rest is in the conversation.',
  'announce.code': { one: 'Code, {count} line.', other: 'Code, {count} lines.' },
  'announce.table': { one: 'Table, {count} row.', other: 'Table, {count} rows.' },
  'announce.choices': 'Choices: {list}',
  'announce.form': 'Form to fill in: {name}',
  'announce.answer': '{name} said: {text}',
  'announce.question': '{name} asks: {text}',
  'announce.done': 'Answer complete.',
  'announce.unread': { one: '{count} new message', other: '{count} new messages' },
  'announce.offline': 'You are offline. Messages are sent once you are back',
  'announce.reconnected': 'Connected again.',
  'announce.new-thread': 'New chat started.',

  // help
  'help.title': 'Keyboard and reading aloud',
} as const satisfies Record<string, string | PluralForms>;

/** One text per plural category of the language; `other` is required. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
/** A key of the table. */
export type MainKey = keyof typeof en;
/** The table of a language: each key has the same kind of entry as in English. */
export type Locale = { readonly [Key in MainKey]: (typeof en)[Key] extends string ? string : PluralForms };
