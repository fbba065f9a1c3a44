import { expect } from '@playwright/test';
import { faultyChat } from '../tools/faulty-chat.ts';
import { walk } from '../tools/random-walk.ts';
import { isolatedTest as test } from '../tools/worker-context.ts';

// `SEEDS=1000 FIRST_SEED=0 STEPS=500` for a long run; a failure names its seed, which repeats the same actions
const from = Number(process.env['FIRST_SEED'] ?? 0);
const count = Number(process.env['SEEDS'] ?? 0);
const steps = Number(process.env['STEPS'] ?? 40);
const seeds = count > 0 ? Array.from({ length: count }, (_, at) => from + at) : [41];

const chat = faultyChat(test);

for (const seed of seeds) {
  test(`the chat survives any sequence of actions (${seed})`, async ({ context }) => {
    test.setTimeout(150_000 + steps * 1_500);
    const { trace, problems } = await walk(context, chat, { seed, steps });
    expect([...problems, ...chat.faults.splice(0)], trace.join('; ')).toEqual([]);
  });
}
