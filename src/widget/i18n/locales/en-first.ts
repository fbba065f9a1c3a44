import { launcherEn } from './launcher-en.ts';

/** The English words for all that a first answer shows, and for all that can go wrong with it. */
export const enFirst = {
  ...launcherEn,

  // panel
  'panel.label': 'Chat with {name}',
  'panel.name': 'Assistant',
  'panel.new': 'New chat',
  'panel.expand': 'Expand',
  'panel.collapse': 'Make smaller',
  'panel.close': 'Close',

  // transcript
  'transcript.label': 'Conversation',
  'transcript.new-below': 'New below',
  'transcript.earlier': 'Show earlier',
  'transcript.today': 'Today',
  'transcript.yesterday': 'Yesterday',
  'welcome.title': 'How can I help?',
  'starters.label': 'Suggestions',

  // composer
  'composer.label': 'Message',
  'composer.placeholder': 'Write a message',
  'composer.send': 'Send',
  'composer.uploading': 'Waiting for the documents to upload',
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
  'message.documents': { one: '{count} document attached', other: '{count} documents attached' },

  // status line
  'status.ready': 'Online',
  'status.working': 'Working on it…',
  'status.writing': 'Writing…',
  'status.stalled': 'Still waiting for an answer…',
  'status.offline': 'You are offline. Messages are sent once you are back',
  'status.resuming': 'Reconnecting…',
  'status.waiting': 'Your reply is needed',
  'status.auth-needed': 'Please sign in again',
  'status.failed': 'Something went wrong',

  // notices
  'notice.stopped': 'Stopped',
  'notice.may-continue': 'Stopped here. The assistant may still finish on its side.',
  'notice.retry': 'Retry',
  'notice.details': 'Details',
  'failure.run': 'The assistant could not finish this answer.',
  'failure.expired': 'This took too long and was stopped.',
  'failure.interrupted': 'Connection lost. What has arrived so far is kept.',
  'failure.network': 'No connection to the service.',
  'failure.timeout': 'The service did not answer in time.',
  'failure.auth': 'Please sign in again to go on. Your text is kept.',
  'failure.forbidden': 'You are not allowed to do this here.',
  'failure.not-found': 'This conversation or assistant does not exist any more.',
  'failure.too-large': 'This message is too large. Shorten it or choose smaller files.',
  'failure.invalid': 'The service did not accept this message.',
  'failure.rate-limit': 'Too many messages at once. Please wait a moment.',
  'failure.rate-limit-wait': {
    one: 'Too many messages at once. Try again in {count} second.',
    other: 'Too many messages at once. Try again in {count} seconds.',
  },
  'failure.server': 'The service has a problem. Please try again.',
  'failure.format': 'The service sent something unreadable.',
  'failure.guardrail': 'This cannot be answered here.',

  // steps
  'steps.summary': 'Summary',

  // what was said
  'actions.edit': 'Edit',

  // content items
  'content.failed': 'This part could not be shown.',

  // Markdown
  'markdown.table': 'Table',
  'markdown.task-done': 'Done',
  'markdown.task-open': 'Not done',

  // what a screen reader is told
  'transcript.you-said': 'You said',
  'transcript.name-said': '{name} said',
  'announce.started': '{name} is answering.',

  // help with keyboard and reading aloud
  'help.title': 'Keyboard and reading aloud',

  // what more than one late part says
  'link.open': 'Open {host}',
  'markdown.copy-failed': 'Copying failed',
  'form.label': 'Form',
  'date.label': 'Date',
} as const;
