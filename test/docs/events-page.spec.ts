import { expect, test } from '@playwright/test';
import { reduceRunEvent } from '../../src/conversation/index.ts';
import { contentItemSchema, responseTypes, runEventKinds } from '../../src/protocol/index.ts';
import { unlistedRunEventKinds } from '../../src/protocol/run-event-kinds.ts';
import { runKey, submitted } from '../conversation/fold.ts';
import { snippets, textOf } from './snippets.ts';

/* The page "Events and content items". Its items are drawn in documents.e2e.ts. */

const page = 'demo/docs/events.md';

/** Names in the first column of the tables of a section. */
const namesIn = (section: string): string[] => {
  const text = textOf(page).split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
};

test('the page has every kind of event and every response type, and no other', () => {
  expect(namesIn('Events').sort()).toEqual([...runEventKinds, ...unlistedRunEventKinds].sort());
  expect(
    namesIn('Content items')
      .filter((name) => name !== 'response_type')
      .sort(),
  ).toEqual([...responseTypes].sort());
});

const answers = snippets('').filter(({ document }) => document === page);
for (const [place, { text }] of answers.entries()) {
  test(`each event of example ${place + 1} is whole, and changes what the visitor sees`, () => {
    let conversation = submitted();
    for (const line of text.trim().split('\n')) {
      const { event, data = {} } = JSON.parse(line) as { event: string; data?: Record<string, unknown> };
      const next = reduceRunEvent(conversation, { id: '', event, data }, { runKey, at: 2 });
      expect(next, line).not.toBe(conversation);
      conversation = next;
    }
    expect(conversation.runs[0]?.status).toBe('completed');
    expect(conversation.messages.at(-1)?.items.length).toBeGreaterThan(0);
  });
}

test('every item of the page has a type that the chat draws, and an id', () => {
  const items = snippets('json').filter(({ document }) => document === page);
  expect(items.length).toBeGreaterThan(4);
  for (const { text } of items) {
    const item = contentItemSchema.parse(JSON.parse(text));
    expect(responseTypes).toContain(item.response_type);
    expect(item.id).toBeTruthy();
  }
});
