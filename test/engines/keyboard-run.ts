import { expect } from '@playwright/test';
import { KeyboardWalk } from '../a11y/keyboard-walk.ts';
import type { EnginePage } from './engine-page.ts';
import { seen, type Seen } from './seen.ts';

/**
 * The whole product by keyboard, from the page's own link through everything and back to the launcher, with the path of
 * focus asserted leg by leg. The page shows one link, then the demo agent's chat, closed.
 */
export async function keyboardRun(page: EnginePage): Promise<void> {
  const walk = new KeyboardWalk(page);
  const waitFor = (what: string, isThere: (now: Seen) => boolean): Promise<void> =>
    expect.poll(async () => isThere(await seen(page)), { message: what, timeout: 20_000 }).toBe(true);
  const ended = (count: number): Promise<void> =>
    waitFor(`${count} answers`, (now) => now.ended === count && now.button === 'Send');

  // open
  await walk.press('Tab', 'Tab');
  await walk.pressTo('Enter', 'textarea: Message');
  expect(walk.takeWay()).toEqual(['a: Host link', 'button: Open chat', 'textarea: Message']);

  // ask, and stop: the one button keeps focus while it is Send, Stop and Send again
  await walk.type('/long 60000');
  await walk.press('Tab');
  await walk.pressTo('Enter', 'button: Stop');
  await waitFor('an answer', ({ answers }) => Boolean(answers.at(-1)));
  await walk.pressTo('Enter', 'button: Send');
  await walk.press('Shift+Tab');
  await answerAtOnce(page);
  expect(walk.takeWay()).toEqual(['button: Send', 'button: Stop', 'button: Send', 'textarea: Message']);

  // open the steps, and one of them
  await walk.type('/tools');
  await walk.press('Enter');
  await ended(2);
  await waitFor('its steps', ({ text }) => /\d+ step/.test(text));
  await walk.press('Shift+F6', 'ArrowUp', 'ArrowUp', 'ArrowDown');
  await walk.pressUntil('Tab', 'step');
  await walk.press('Enter');
  await waitFor('the steps', ({ text }) => text.includes('Find boat'));
  await walk.pressUntil('Tab', 'Find boat');
  await walk.press('Enter');
  await waitFor('a result', ({ text }) => text.includes('"Marigold"'));
  expect(walk.takeWay()).toEqual([
    'textarea: Message',
    'log: Conversation',
    'article: Assistant said',
    'article: You said',
    'article: Assistant said',
    'button: 5 steps',
    'summary: Find boat',
  ]);

  // give feedback; focus goes back to where it was asked from
  await walk.pressUntil('Tab', 'Bad answer');
  await walk.pressTo('Enter', 'textarea: What could be better?');
  await walk.type('Too few boats');
  await walk.pressUntil('Tab', 'Send feedback');
  await walk.pressTo('Enter', 'button: Bad answer');
  await waitFor('thanks', ({ text }) => text.includes('Thank you for your feedback'));
  await walk.press('F6');
  expect(walk.takeWay()).toEqual([
    'summary: List invoices',
    'summary: Ask the tide gauge',
    'button: Copy',
    'button: Good answer',
    'button: Bad answer',
    'textarea: What could be better?',
    'button: Cancel',
    'button: Send feedback',
    'button: Bad answer',
    'textarea: Message',
  ]);

  // answer a form; a fault takes focus to its field
  await walk.type('/form');
  await walk.pressTo('Enter', 'input: Name of the boat*');
  await page.evaluate(async () => void (await customElements.whenDefined('agent-chat-calendar')), undefined); // loads after the form
  await walk.pressUntil('Tab', 'Announce');
  await walk.pressTo('Enter', 'input: Name of the boat*');
  await waitFor('faults', ({ text }) => text.includes('Please correct 3 answers.'));
  await walk.type('Marigold');
  await walk.press('Tab');
  await walk.type('11.5');
  // month, day and year, in whatever order the engine has them
  await walk.press('Tab', 'ArrowUp', 'Tab', 'ArrowUp', 'Tab', 'ArrowUp');
  await walk.pressUntil('Tab', 'Announce');
  await walk.pressTo('Enter', 'textarea: Message');
  await ended(4);
  expect(walk.takeWay()).toEqual([...formFields, ...formFields, 'textarea: Message']);

  // use an option
  await walk.type('/interrupt');
  await walk.press('Enter');
  await waitFor('a question', ({ text }) => text.includes('Yes, please'));
  await walk.press('Shift+F6', 'End');
  await walk.pressUntil('Tab', 'Yes, please');
  await walk.press('Enter');
  await waitFor('an answer', ({ answers }) => Boolean(answers.at(-1)?.includes('next invoice')));
  await ended(6);
  await walk.pressUntil('F6', 'textarea: Message');
  expect(walk.takeWay()).toEqual([
    'textarea: Message',
    'log: Conversation',
    'article: Assistant said',
    'button: Yes, please',
    'textarea: Message',
  ]);

  // copy code
  await walk.type('/code');
  await walk.press('Enter');
  await ended(7);
  await walk.press('Shift+F6', 'End');
  await walk.pressUntil('Tab', 'Copy');
  await walk.pressTo('Enter', 'button: Copied');
  await walk.pressUntil('F6', 'textarea: Message');
  await walk.press('Control+v');
  const { draft } = await seen(page);
  expect(JSON.parse(draft)).toMatchObject({ port: 'Grey Quay' });
  expect(walk.takeWay()).toEqual([
    'textarea: Message',
    'log: Conversation',
    'article: Assistant said',
    'button: Wrap',
    'button: Copy',
    'button: Copied',
    'textarea: Message',
  ]);

  // close: focus returns to the launcher
  await walk.pressTo('Escape', 'button: Open chat');
  expect((await seen(page)).isOpen).toBe(false);
}

/** Has the demo agent answer what follows without delay. */
async function answerAtOnce(page: EnginePage): Promise<void> {
  await page.evaluate(() => {
    const chat = document.querySelector('agent-chat');
    if (chat) chat.additionalParameters = { delay_ms: 0 };
  }, undefined);
}

/** The stops of the demo agent's form, in the order of the form. */
const formFields = [
  'input: Name of the boat*',
  'input: Length in metres*',
  'input: Day of arrival*',
  'button: Day of arrival: Choose a date.',
  'input: Nights',
  'input: Pontoon C',
  'input: Electricity',
  'textarea: Anything else?',
  'button: Not now',
  'button: Announce',
];
