import type { NormalizedEvent } from '../agents/normalize-events.ts';

type Data = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** An event, or a part of one, that holds at most one piece of a text which grows over several events. */
export interface EventPart {
  readonly event: NormalizedEvent;
  readonly piece?: TextPiece;
}

export interface TextPiece {
  /** Which text: pieces of one name are read as one. */
  readonly name: string;
  readonly text: string;
  /** Where it stands in the event's data. */
  readonly path: Path;
}

/** The name of the one line that says what goes on: each takes the place of the one before. */
export const statusLine = 'status';

/** Takes an event apart: each piece of a growing text comes in an event of its own. */
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

/** The same event with other words in the place of a piece. */
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
  const content: unknown = isData(delta) ? delta['content'] : undefined;
  if (!isData(delta) || !Array.isArray(content) || content.length === 0) return [{ event: { event, data } }];
  return content.map((given: unknown, place): EventPart => {
    const alone = (item: unknown): NormalizedEvent => ({
      event,
      data: { ...data, delta: { ...delta, content: [item] } },
    });
    const text = isData(given) && (given['response_type'] ?? 'text') === 'text' ? given['text'] : undefined;
    if (!isData(given) || typeof text !== 'string') return { event: alone(given) };
    // An item without an id goes by its place, which it loses here.
    const id = typeof given['id'] === 'string' ? given['id'] : String(place + 1);
    const item = alone(place > 0 ? { ...given, id } : given);
    if (text === '') return { event: item };
    return { event: item, piece: { name: `item ${id}`, text, path: ['delta', 'content', 0, 'text'] } };
  });
}

/** Reasoning and the status line, in every form that is read. @source wire, section 4, "Delta tolerance" */
function thinkingPieces(data: Data): TextPiece[] {
  const delta = isData(data['delta']) ? data['delta'] : {};
  const details = Array.isArray(delta['step_details']) ? (delta['step_details'] as unknown[]) : [];
  const reasoning: Path[] = [
    ...['thinking', 'content', 'text', 'delta'].map((key) => [key]),
    ...['thinking', 'reasoning', 'text', 'content'].map((key) => ['delta', key]),
    ...details.flatMap((detail, place): Path[] =>
      isData(detail) && detail['tool_calls'] === undefined && detail['tool_call_id'] === undefined
        ? ['thinking', 'reasoning', 'content', 'text', 'message'].map((key) => [
            'delta',
            'step_details',
            place,
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
  const there = path.reduce<unknown>((value, key) => (value as Data | null | undefined)?.[key], data); // a key of anything else is undefined
  if (typeof there === 'string') return there === '' ? [] : [{ name, text: there, path }];
  if (!isData(there) || name === statusLine || path.join() === 'delta') return [];
  return ['thinking', 'text', 'value'].flatMap((key) => pieceAt(data, [...path, key], name));
}

function put<Value>(value: Value, [key, ...rest]: Path, words: string): Value {
  if (key === undefined) return words as Value; // the end of the path is a string
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (at === key ? put(one, rest, words) : one)) as Value; // the same array, one string changed
  return { ...value, [key]: put((value as Data | undefined)?.[key], rest, words) }; // what is not there yet is made
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
