import { listOf } from '../../conversation/read-values.ts';
import { asObject, firstText, text } from './read-item.ts';

/** One choice of an `option` item. */
export interface Choice {
  readonly label: string;
  /** The value sent to the agent. */
  readonly value: string;
}

/**
 * Reads the `options` of an item in any known shape. Skips options without text.
 * @param limit maximum number of options. Default: all.
 */
export function readChoices(options: unknown, limit = Infinity): readonly Choice[] {
  const choices: Choice[] = [];
  for (const option of listOf(options)) {
    if (choices.length >= limit) break;
    const { label, text: named, title, name, value } = asObject(option);
    const words =
      typeof option === 'object'
        ? firstText(label, named, title, name, value, messageText(value))
        : text(option);
    if (words.trim()) choices.push({ label: words, value: messageText(value) || words });
  }
  return choices;
}

/** The text that a choice sends to the agent: the value itself, or the text of `{input: {text}}`. */
export function messageText(value: unknown): string {
  return text(value, 20_000) || text(asObject(asObject(value)['input'])['text'], 20_000);
}
