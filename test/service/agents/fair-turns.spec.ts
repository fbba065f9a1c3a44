import { expect, test } from '@playwright/test';
import { FairTurns } from '../../../src/service/agents/fair-turns.ts';

/** Keeps the processor busy for a millisecond. */
function work(): void {
  const until = performance.now() + 1;
  while (performance.now() < until);
}

test('runs that never wait leave turns of the event loop to others, and go on in the order of their waiting', async () => {
  const turns = new FairTurns();
  let loops = 0;
  let isOn = true;
  const count = (): void => {
    loops += 1;
    if (isOn) setImmediate(count);
  };
  setImmediate(count);
  const order: number[] = [];
  const run = async (number: number): Promise<void> => {
    for (let step = 0; step < 40; step += 1) {
      if (turns.isOver) {
        await turns.wait();
        order.push(number);
      }
      work();
    }
  };
  await Promise.all([run(1), run(2), run(3)]);
  isOn = false;
  // 120 ms of work; without turns the loop goes round once
  expect(loops).toBeGreaterThan(10);
  expect(order.slice(0, 6)).toEqual([1, 2, 3, 1, 2, 3]);
});

test('a run that needs less than its time does not wait', () => {
  // a busy machine may halt the process between two looks, but not each time
  const isOver = Array.from({ length: 5 }, () => {
    const turns = new FairTurns();
    return turns.isOver || turns.isOver;
  });
  expect(isOver).toContain(false);
});
