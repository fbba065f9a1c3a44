/** The strings of launcher and shell in English. The rest of the table loads with the panel. */
export const launcherStrings = {
  'launcher.open': 'Open chat',
  'launcher.close': 'Close chat',
  'launcher.unread': { one: 'Open chat, {count} new message', other: 'Open chat, {count} new messages' },
  'launcher.failed': 'The chat could not be loaded. Try again',
  'launcher.loading': 'Opening…',
  'panel.name': 'Assistant',
  'panel.close': 'Close',
  'disclosure.mark': 'AI',
  'composer.label': 'Message',
  'composer.placeholder': 'Write a message',
  'composer.send': 'Send',
} as const;
