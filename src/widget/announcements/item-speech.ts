import type { ConversationItem, ConversationMessage, Run } from '../../conversation/conversation.ts';
import { readItem, sourcesOf } from '../../conversation/items.ts';
import { asObject, listOf, readText } from '../../conversation/read-values.ts';
import { readChoices } from '../content/read-choices.ts';
import type { Strings } from '../i18n/strings.ts';
import { joinSentences, markdownToSpeech } from './speech-text.ts';

/** Maximum number of choices that are read aloud; longer lists are searched instead. */
const maxChoices = 20;

/**
 * Converts the items of a message to speech, in order, and what is wrong with a connection.
 *
 * @param most how much of each text is converted, in characters; 0 leaves texts out
 */
export function partsToSpeech(
  { items, connection }: ConversationMessage,
  words: Strings,
  most: number,
): string {
  const parts = items
    .filter(({ text }) => !text || most > 0)
    .map((item) => itemToSpeech({ ...item, text: item.text.slice(0, most) }, words));
  return joinSentences([...parts, connection?.message.trim() ?? '']);
}

/**
 * Converts a content item to speech; `''` if it has none of its own.
 *
 * @param depth how many levels of items inside are read
 */
export function itemToSpeech({ type, text, source }: ConversationItem, words: Strings, depth = 4): string {
  const field = (name: string): string => {
    const value = source[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  if (text) return markdownToSpeech(text, words);
  // of a card, a carousel, a grid, its rows and its cells
  const { agent_available, body, cells, files, items, rows } = source;
  // unvalidated data, read defensively
  const { title: schemaTitle } = (source.json_schema ?? {}) as { readonly title?: unknown };
  // in the order in which a form shows them
  const title = (typeof schemaTitle === 'string' ? schemaTitle : '') || field('title') || field('name');
  switch (type) {
    case 'conversational_search':
    case 'inline_error':
      return markdownToSpeech(field('text'), words);
    case 'option': {
      const labels = readChoices(source['options'], maxChoices + 1).map(({ label }) => label);
      return joinSentences([
        title,
        field('description'),
        words.t('announce.choices', { list: choicesToSpeech(labels.slice(0, maxChoices), words.locale) }),
        labels.length > maxChoices ? words.t('announce.rest') : '',
      ]);
    }
    case 'form':
    case 'forms':
      if (source.sub_type === 'tool_approval') return field('name');
      return words.t('announce.form', { name: title || words.t('form.label') });
    case 'table':
      return joinSentences([title, words.t('announce.table', { count: listOf(rows).length })]);
    case 'image':
    case 'video':
    case 'audio':
      return joinSentences([words.t(`media.${type}`), field('alt_text') || title, field('description')]);
    case 'date':
      return title || words.t('date.label');
    default:
      return joinSentences([
        title || field('label') || field('fileName') || field('message') || field('connection_message'),
        field('description'),
        markdownToSpeech(field('text') || readText(asObject(source['user_defined'])['text']), words),
        ...sourcesOf(depth > 0 && (body ?? items ?? rows ?? cells ?? files ?? [agent_available]))
          // the words of a card tell more than its picture
          .filter((inner) => !body || inner['response_type'] !== 'image')
          .map((inner) => itemToSpeech(readItem(inner, ''), words, depth - 1)),
      ]);
  }
}

/** Whether a message asks for a decision that is open. */
export function asksForDecision({ items }: ConversationMessage): boolean {
  return items.some(({ source }) => {
    const { state = 'asked' } = (source['decision'] ?? {}) as { readonly state?: unknown }; // unvalidated
    return source.sub_type === 'tool_approval' && source['form_operation'] == null && state === 'asked';
  });
}

/** Whether a message of the visitor is a decision, or the result of a page tool. */
export function decides(message: ConversationMessage | undefined): boolean {
  return (
    message?.items.some(
      ({ source }) =>
        source.sub_type === 'tool_approval' ||
        asObject(source['user_defined'])['type'] === 'page_tool_result',
    ) === true
  );
}

/** Whether a run is calling a tool that has a card, of a decision or a page tool: the card says how the call goes. */
export function isDecidedCall({ statusLine, steps }: Run, messages: readonly ConversationMessage[]): boolean {
  const call = statusLine?.text ? undefined : steps.findLast(({ status }) => status === 'active');
  if (!call) return false;
  return messages.some(({ items }) =>
    items.some(({ id, source }) =>
      source.sub_type === 'tool_approval' ? id === call.id : isPageCall(source, call.id),
    ),
  );
}

function isPageCall(source: ConversationItem['source'], callId: string): boolean {
  const { type, id } = asObject(source['user_defined']);
  return type === 'page_tool_call' && id === callId;
}

/**
 * Joins choices into a list. Numbers them if a label contains a comma, which would otherwise sound like a
 * separator.
 */
function choicesToSpeech(labels: readonly string[], locale: string): string {
  if (!labels.some((label) => /[,;،؛、，；]/.test(label)))
    return new Intl.ListFormat(locale, { style: 'narrow' }).format(labels);
  return labels.map((label, index) => `${(index + 1).toLocaleString(locale)}: ${label}`).join('; ');
}
