import { isObject } from '../../protocol/json.ts';
import type { NormalizedEvent } from '../agents/normalize-events.ts';

type Data = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** An event, or a part of one, with at most one piece of a streamed text. */
export interface EventPart {
  readonly event: NormalizedEvent;
  readonly piece?: TextPiece;
}

export interface TextPiece {
  /** Identifies the text: pieces with the same name belong together. */
  readonly name: string;
  readonly text: string;
  /** The path of the piece in the event's data. */
  readonly path: Path;
}

/** The name of the status line. Each status replaces the previous one. */
export const statusLine = 'status';

/** Splits an event so that each event has at most one piece of streamed text. */
export function splitEvent({ event, data }: NormalizedEvent): EventPart[] {
  if (event === 'message.delta') return deltaParts(data);
  if (event !== 'run.step.thinking') return [{ event: { event, data } }];
  const [first, ...others] = thinkingPieces(data);
  if (!first) return [{ event: { event, data } }];
  const rest = others.reduce<Data>((left, { path }) => put(left, path, ''), data);
  return [
    { event: { event, data: rest }, piece: first },
    ...others.map(({ name, text }) => {
      const path = name === statusLine ? ['message', 'text'] : ['thinking'];
      return { event: { event, data: put({}, path, text) }, piece: { name, text, path } };
    }),
  ];
}

/** Returns the event with the piece replaced by another text. */
export function withText(
  { event, data }: NormalizedEvent,
  { path }: TextPiece,
  words: string,
): NormalizedEvent {
  return { event, data: put(data, path, words) };
}

function deltaParts(data: Data): EventPart[] {
  const event = 'message.delta';
  const delta = data['delta'];
  const content: unknown = isObject(delta) ? delta['content'] : undefined;
  if (!isObject(delta) || !Array.isArray(content) || content.length === 0)
    return [{ event: { event, data } }];
  return content.map((source: unknown, index): EventPart => {
    const alone = (item: unknown): NormalizedEvent => ({
      event,
      data: { ...data, delta: { ...delta, content: [item] } },
    });
    const text =
      isObject(source) && (source['response_type'] ?? 'text') === 'text' ? source['text'] : undefined;
    if (!isObject(source) || typeof text !== 'string') return { event: alone(source) };
    // Readers identify an item without an id by its index. The split changes the index, so set an id.
    const id = typeof source['id'] === 'string' ? source['id'] : String(index + 1);
    const item = alone(index > 0 ? { ...source, id } : source);
    if (text === '') return { event: item };
    return { event: item, piece: { name: `item ${id}`, text, path: ['delta', 'content', 0, 'text'] } };
  });
}

/**
 * Finds reasoning and the status line, in every supported form.
 * @source wire, section 4, "Delta tolerance"
 */
function thinkingPieces(data: Data): TextPiece[] {
  const delta = isObject(data['delta']) ? data['delta'] : {};
  const details = Array.isArray(delta['step_details']) ? (delta['step_details'] as unknown[]) : [];
  const reasoning: Path[] = [
    ...['thinking', 'content', 'text', 'delta'].map((key) => [key]),
    ...['thinking', 'reasoning', 'text', 'content'].map((key) => ['delta', key]),
    ...details.flatMap((detail, index): Path[] =>
      isObject(detail) && detail['tool_calls'] === undefined && detail['tool_call_id'] === undefined
        ? ['thinking', 'reasoning', 'content', 'text', 'message'].map((key) => [
            'delta',
            'step_details',
            index,
            key,
          ])
        : [],
    ),
  ];
  return [
    ...reasoning.flatMap((path) => pieceAt(data, path, 'reasoning')),
    ...pieceAt(data, ['message', 'text'], statusLine),
    ...pieceAt(data, ['message', 'content'], statusLine),
    ...pieceAt(data, ['message'], statusLine),
  ];
}

function pieceAt(data: Data, path: Path, name: string): TextPiece[] {
  const there = path.reduce<unknown>((value, key) => (value as Data | null | undefined)?.[key], data); // other values have no such key
  if (typeof there === 'string') return there === '' ? [] : [{ name, text: there, path }];
  if (!isObject(there) || name === statusLine || path.join() === 'delta') return [];
  return ['thinking', 'text', 'value'].flatMap((key) => pieceAt(data, [...path, key], name));
}

function put<Value>(value: Value, [key, ...rest]: Path, words: string): Value {
  if (key === undefined) return words as Value; // the path ends at a string
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (at === key ? put(one, rest, words) : one)) as Value; // the same array with one string changed
  return { ...value, [key]: put((value as Data | undefined)?.[key], rest, words) }; // missing parents are created
}
