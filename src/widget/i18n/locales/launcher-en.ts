/** The launcher's words in English: all that is there before the panel. */
export const launcherEn = {
  'launcher.open': 'Open chat',
  'launcher.close': 'Close chat',
  'launcher.unread': { one: 'Open chat, {count} new message', other: 'Open chat, {count} new messages' },
  'launcher.failed': 'The chat could not be loaded. Try again',
  'launcher.loading': 'Opening…',
} as const;
