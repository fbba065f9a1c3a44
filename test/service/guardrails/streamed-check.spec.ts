import { expect, test } from '@playwright/test';
import { checkEvents } from '../../../src/service/guardrails/check-events.ts';
import { checkText, type ActiveGuardrail } from '../../../src/service/guardrails/check-text.ts';
import { detectPii } from '../../../src/service/guardrails/detect-pii.ts';
import type { Finding } from '../../../src/service/guardrails/detector.ts';

/** Every split of the corpus; otherwise every 40th. */
const isFull = process.env['SPLITS'] === 'all';

const entities = [
  'ada@example.com',
  'jürgen.groß@müller.de',
  '+1 (415) 555-2671',
  '+44 20 7946 0958',
  '0049 30 901820',
  '(415) 555-2671',
  '4111 1111 1111 1111',
  '378282246310005',
  '5500-0000-0000-0004',
  'GB82 WEST 1234 5698 7654 32',
  'DE89370400440532013000',
] as const;
const joints = [', ', ' ', '; ', '. ', '\n', ' and ', '! ', ': ', ' / ', ' – ', '\t', ' (', '…'] as const;

/** A part of an entity that gives it away. */
const tellTales = entities.map((entity) => entity.slice(0, -1));

/** The detector, asked once for each text. */
const known = new Map<string, readonly Finding[]>();
const pii: ActiveGuardrail = {
  name: 'pii',
  side: 'output',
  threshold: 0.5,
  mask: true,
  detect: async (text, signal) => {
    const found = known.get(text) ?? (await detectPii(text, signal));
    known.set(text, found);
    return found;
  },
};
const signal = new AbortController().signal;
const check = (text: string) => checkText(text, [pii], signal);

async function* deltas(pieces: readonly string[]) {
  for (const text of pieces) {
    await Promise.resolve();
    yield {
      event: 'message.delta',
      data: { delta: { content: [{ id: '1', response_type: 'text', text }] } },
    };
  }
}

async function streamed(pieces: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for await (const { data } of checkEvents(deltas(pieces), check))
    texts.push((data as { delta: { content: { text: string }[] } }).delta.content[0]?.text ?? '');
  return texts;
}

function* texts(): Generator<string> {
  for (const first of entities) {
    for (const second of entities) {
      if (first === second) continue;
      const joint = joints[(entities.indexOf(first) * 3 + entities.indexOf(second)) % joints.length] ?? ' ';
      yield `Write to ${first}${joint}${second} now. Bye.`;
    }
  }
  // every joint, in both orders, three in a row
  for (const joint of joints) {
    for (let place = 0; place < entities.length; place += 1) {
      const three = [0, 2, 5].map((step) => entities[(place + step) % entities.length]);
      yield three.join(joint);
      yield three.reverse().join(joint);
    }
  }
}

/** Two pieces at every place, and pieces of every length up to ten. */
function* splits(text: string): Generator<string[]> {
  for (let place = 0; place <= text.length; place += 1) yield [text.slice(0, place), text.slice(place)];
  for (let length = 1; length <= 10; length += 1) yield text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
}

test('personal data is masked alike in every split, and no event shows any of it', async () => {
  test.setTimeout(600_000);
  let count = 0;
  const faults: string[] = [];
  for (const text of texts()) {
    const whole = await check(text);
    for (const pieces of splits(text)) {
      count += 1;
      if (!isFull && count % 40 !== 0) continue;
      const events = await streamed(pieces);
      const joined = events.join('');
      const shown = [...events, joined].some((event) => tellTales.some((tale) => event.includes(tale)));
      if (shown || joined !== whole || (await check(joined)) !== joined)
        faults.push(`${JSON.stringify(pieces)} → ${joined} (whole: ${whole})`);
    }
  }
  expect(faults.slice(0, 10)).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(20_000);
});

for (const [name, filler] of [
  ['words', 'some quiet words that say nothing at all '],
  ['lines', 'one line\nand more '],
  ['no blank at all', 'abc,def,'],
] as const) {
  test(`an entity anywhere in a long text of ${name} is masked, in pieces as in one`, async () => {
    for (let place = 900; place < 1_500; place += 37) {
      const long = filler.repeat(100);
      const text = `${long.slice(0, place)} 4111 1111 1111 1111, +1 (415) 555-2671 ${long.slice(0, 1_500)}`;
      const whole = await check(text);
      const joined = (await streamed(text.match(/[^]{1,7}/g) ?? [])).join('');
      expect(joined).toBe(whole);
      expect(joined).not.toMatch(/4111|1111|555-/);
    }
  });
}

for (const [text, masked] of [
  ['4111 1111 1111 1111 12/27, code 123', '[CARD] 12/27, code 123'],
  ['4111 1111 1111 1111 123', '[CARD] 123'],
  ['GB82 WEST 1234 5698 7654 32 DE89 3704 0044 0532 0130 00', '[IBAN] [IBAN]'],
  ['AB12 GB82 WEST 1234 5698 7654 32', 'AB12 [IBAN]'],
  ['+1 (415) 555-2671, 4111 1111 1111 1111', '[PHONE], [CARD]'],
  ['Sent by ada@example.com. +1 (415) 555-2671 is her number.', 'Sent by [EMAIL]. [PHONE] is her number.'],
] as const) {
  test(`every one of several is masked: ${text}`, async () => {
    expect(await check(text)).toBe(masked);
  });
}
