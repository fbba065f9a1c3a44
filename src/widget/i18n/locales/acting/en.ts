import type { PluralForms } from '../en.ts';

/**
 * The strings of decisions and page tools, in English. They load with the first of them. A page replaces them by
 * `strings`, like all others.
 */
export const en = {
  // the card that asks before a tool is called
  'decision.ask': 'Your decision is needed',
  'decision.system': 'Acts on {name}',
  'decision.reads': 'Changes nothing, according to {name}',
  'decision.empty': 'No details are sent.',
  'decision.show-all': 'Show all',
  'decision.expires': 'Open until {time}',
  'decision.approve': 'Approve',
  'decision.edit': 'Edit',
  'decision.decline': 'Decline',
  'decision.approve-changed': 'Approve with changes',
  'decision.back': 'Back',
  'decision.reason': 'Reason (optional)',

  // what became of it
  'decision.sending': 'Sending your decision…',
  'decision.undelivered': 'Your decision was not sent',
  'decision.approved': 'Approved',
  'decision.changed': 'Approved with changes',
  'decision.declined': 'Declined',
  'decision.declined-for': 'Declined: {reason}',
  'decision.expired': 'Expired. Nothing was done.',
  'decision.running': 'Approved, in progress…',
  'decision.done': 'Approved and done',
  'decision.failed': 'Approved, but it failed',
  'decision.unknown': 'It is not known whether this happened',
  'decision.unknown-help': 'It may have happened. It is not tried again. Check with {name} first.',
  'decision.settled': 'Already decided elsewhere',
  'decision.settled-help': 'Another window or device was faster. Its decision counts.',
  'decision.refused': 'These details were not accepted. Please change them.',
  'decision.impossible': 'This cannot be decided any more.',

  // the card of a function of the page
  'page-tool.asked': 'May the assistant do this on this page?',
  'page-tool.here': 'Acts on this page',
  'page-tool.reads': 'Changes nothing, according to this page',
  'page-tool.allow': 'Allow',
  'page-tool.allow-always': 'Allow in this conversation',
  'page-tool.decline': 'Don’t allow',
  'page-tool.waiting': 'Waiting for this page…',
  'page-tool.running': 'In progress on this page…',
  'page-tool.done': 'Done on this page',
  'page-tool.failed': 'Failed on this page',
  'page-tool.declined': 'Not allowed',
  'page-tool.gone': 'This page no longer offers this',

  // the chat as a tool of the browser's own agent
  'ask-tool.title': 'Ask {name}',
  'ask-tool.asked': 'May your browser’s assistant ask here?',
  'ask-tool.reads': 'It also reads the answers in this conversation.',
} as const satisfies Record<string, string | PluralForms>;

/** A key of the table. */
export type ActingKey = keyof typeof en;
/** The table of a language. */
export type ActingLocale = { readonly [Key in ActingKey]: string };
