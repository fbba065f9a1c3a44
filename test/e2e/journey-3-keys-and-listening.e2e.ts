import { expect } from '@playwright/test';
import { KeyboardWalk } from '../a11y/keyboard-walk.ts';
import { announcementsOf, recordAnnouncements } from '../a11y/announcements.ts';
import { openSidebar } from '../tools/open-sidebar.ts';
import { pageServer } from '../tools/page-server.ts';
import type { ServiceProcess } from '../tools/service-process.ts';
import { test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(({ sharedService }) => {
  service = sharedService;
});

/** What is typed, and what is heard of its answer; status lines left out. */
const questions: readonly (readonly [string, RegExp])[] = [
  ['Hello', /^Assistant said: Hello, and welcome to Grey Quay! .*everything else I can show\.$/],
  ['When is high water tomorrow?', /^Assistant said: High water at Grey Quay: Table, 3 rows\. The sill has/],
  ['/code', /^Assistant said: The tide table comes as JSON: Code, 1 line\. .*Code, 5 lines\./],
  ['/item image', /^Assistant said: Here you are: Image\. A sailing boat/],
  ['/long 3000', /^Assistant said: A long answer\. Part 1\. The harbour lies open/],
  ['/tools', /^Assistant said: The Marigold lies at berth C 14\./],
  ['/form', /^Assistant said: Please fill this in; .*Form to fill in: Announce an arrival$/],
  ['Thank you', /^Assistant said: You are welcome\./],
];
const status = /^(Working on it…|Looking |Reading |Ask the tide gauge)/;

test('journey 3: a visitor asks eight questions in place by keys alone, and what is heard makes sense, once, in order', async ({
  page,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await recordAnnouncements(page);
  const chat = await openSidebar(page, { host, service });
  const walk = new KeyboardWalk(page);
  const answers = chat.element.locator('agent-chat-turn-actions');
  const spoken = async (): Promise<string[]> =>
    (await announcementsOf(page)).filter((text) => !status.test(text));
  await walk.pressUntil('Tab', 'textarea: Message');

  let ended = 0;
  for (const [question, words] of questions) {
    const before = (await spoken()).length;
    await walk.type(question);
    await walk.press('Enter');
    await expect(answers).toHaveCount((ended += 1), { timeout: 15_000 });
    await expect.poll(async () => (await spoken()).length).toBe(before + 1);
    expect((await spoken()).at(-1)).toMatch(words);
    if (question !== '/form') continue;
    // the form takes the focus, a fault takes it to its field
    await expect(chat.element.getByLabel('Name of the boat')).toBeFocused();
    await walk.type('Marigold');
    await walk.pressTo('Enter', 'input: Length in metres*');
    await expect.poll(async () => (await spoken()).at(-1)).toBe('Please correct 2 answers.');
    await walk.type('11.5');
    await walk.press('Tab', 'ArrowUp', 'Tab', 'ArrowUp', 'Tab', 'ArrowUp');
    await walk.pressUntil('Tab', 'Announce');
    await walk.pressTo('Enter', 'textarea: Message');
    await expect(answers).toHaveCount((ended += 1));
    await expect
      .poll(async () => (await spoken()).at(-1))
      .toMatch(/^Assistant said: Thank you, I noted this: .*Marigold/);
  }

  // back through what was said, and on to where one writes
  walk.takeWay();
  await walk.press('Shift+F6', 'ArrowUp', 'ArrowUp', 'Home', 'End', 'Escape', 'F6');
  expect(walk.takeWay()).toEqual([
    'log: Conversation',
    'article: Assistant said',
    'article: You said',
    'article: Assistant said',
    'textarea: Message',
  ]);
  const all = await spoken();
  expect(new Set(all).size).toBe(all.length);
  expect(all).toHaveLength(questions.length + 2);
  expect(faults).toEqual([]);
});
