import { plainTurn, type WireEvent } from './wire-events.ts';

/** A Markdown table. */
export const richTable =
  '| Berth | Power | Nights |\n| :-- | :-- | --: |\n| C 14 | 16 A | 2 |\n| D 03 | no power at all | 3 |\n\n';

/** Markdown with every other kind of block. */
export const richText = [
  '## Before you cast off\n\n',
  'The channel is marked from the **outer buoy** to the inner pier, and [the plan](https://example.com/plan) shows it.\n\n',
  '1. Call the lock on channel 12.\n2. Wait for two green lights.\n   - Both of them.\n3. Keep under three knots.\n\n',
  '```js\nconst tide = await fetch("/tides/today");\nconst { high, low } = await tide.json();\n```\n\n',
  '> Depths are those of the lowest tide of the year.\n\n---\n\n- [x] Papers\n- [ ] A line of 12 m\n\n',
  ...Array.from(
    { length: 6 },
    (_none, at) => `Paragraph ${at + 1}: at noon the tide turns, and every berth can be reached.\n\n`,
  ),
].join('');

/** Splits a text into pieces like those that a model sends. */
export const piecesOf = (words: string): string[] => words.match(/[\s\S]{1,12}/g) ?? [];

/** The events of a turn with a tool call, its result, and an answer with this text. */
export function richTurn(words: string): WireEvent[] {
  const events = plainTurn(piecesOf(words));
  const step = (details: Record<string, unknown>): WireEvent => ({
    id: '',
    event: 'run.step.delta',
    data: { ...events[0]?.data, delta: { role: 'assistant', step_details: [details] } },
  });
  const call = { id: 'c', name: 'Looked up berths', args: { length: 11 } };
  events.splice(
    1,
    0,
    step({ type: 'tool_calls', tool_calls: [call] }),
    step({ type: 'tool_response', name: call.name, tool_call_id: 'c', content: '2 free' }),
  );
  return withIds(events);
}

/** The events of a turn with an answer of content items. */
export function itemTurn(items: readonly Record<string, unknown>[]): WireEvent[] {
  const events = plainTurn([]).map((event) => {
    if (event.event !== 'message.created') return event;
    const message = event.data['message'] as Record<string, unknown>; // plainTurn made it
    return { ...event, data: { ...event.data, message: { ...message, content: items } } };
  });
  return withIds(events);
}

/** A form item with this schema. */
export function formItem(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { response_type: 'form', id: 'f', name: 'f', json_schema: { type: 'object', ...schema } };
}

/** Gives the events new ids, because every run has its own. */
export function withIds(events: readonly WireEvent[]): WireEvent[] {
  const now = Date.now();
  return events.map((event, index) => ({ ...event, id: `${now}-${index}` }));
}
