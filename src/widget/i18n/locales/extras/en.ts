import type { PluralForms } from '../en.ts';

/**
 * The strings of the list of conversations, of dictation and reading aloud, of the help, and of a connection that nothing
 * makes, in English. They load with the first of these. A page replaces them by `strings`, like all others.
 */
export const en = {
  'threads.search': 'Search conversations',
  'threads.empty': 'No conversations yet.',
  'threads.none': 'Nothing found for “{query}”.',
  'threads.loading': 'Loading your conversations…',
  'threads.failed': 'Your conversations could not be loaded.',
  'threads.unavailable': 'Conversations are not kept here.',
  'threads.found': { one: '{count} conversation', other: '{count} conversations' },
  'threads.unread': { one: '{count} unread', other: '{count} unread' },
  'threads.untitled': 'Untitled conversation',
  'threads.you': 'You: {text}',
  'threads.more': 'Show more',
  'threads.options': 'Options for {title}',
  'threads.rename': 'Rename',
  'threads.name': 'Name of the conversation',
  'threads.save': 'Save',
  'threads.delete': 'Delete',
  'threads.confirm': 'Delete this conversation? It cannot be brought back.',
  'threads.keep': 'Keep',
  'threads.deleted': '“{title}” is deleted.',
  'threads.renamed': 'Renamed to “{title}”.',
  'threads.change-failed': 'That did not work. Please try again.',
  'threads.continue': 'Continue your last conversation',
  'speech.dictate': 'Dictate',
  'speech.stop': 'Stop dictating',
  'speech.listening': 'Listening…',
  'speech.on-device': 'Your voice stays on this device.',
  'speech.remote': 'Your browser’s speech service turns your voice into text.',
  'speech.denied': 'The microphone is blocked. Allow it in the browser’s settings for this page.',
  'speech.no-microphone': 'No microphone was found.',
  'speech.no-language': 'Dictation is not available in this language.',
  'speech.nothing': 'Nothing was heard.',
  'speech.failed': 'Dictation stopped. Please try again.',
  'speech.read': 'Read aloud',
  'speech.stop-reading': 'Stop reading aloud',
  'speech.no-voice': 'Your device has no voice for this language.',
  'speech.read-failed': 'Reading aloud failed.',
  'connection.unhandled': 'Nothing opened? Connect it in your account settings, then ask again.',
  'help.shortcuts': 'Shortcuts',
  'help.send': 'Send the message',
  'help.break': 'Start a new line',
  'help.regions': 'Next part of the chat',
  'help.regions-back': 'Previous part of the chat',
  'help.messages': 'Move between messages',
  'help.ends': 'First or last message',
  'help.into': 'Go into a message',
  'help.close': 'Close the chat',
  'help.list': 'Show this list',
  'help.aloud': 'What is read aloud',
  'help.aloud-answer': 'Finished answers',
  'help.aloud-sentence': 'Sentence by sentence',
  'help.aloud-quiet': 'Only start and end',
  'key.enter': 'Enter',
  'key.shift': 'Shift',
  'key.tab': 'Tab',
  'key.escape': 'Esc',
  'key.home': 'Home',
  'key.end': 'End',
  'feedback.why': 'What could be better?',
  'feedback.comment': 'Comment',
  'feedback.send': 'Send feedback',
} as const satisfies Record<string, string | PluralForms>;

/** A key of the table. */
export type ExtraKey = keyof typeof en;
/** The table of a language. */
export type ExtraLocale = {
  readonly [Key in ExtraKey]: (typeof en)[Key] extends string ? string : PluralForms;
};
