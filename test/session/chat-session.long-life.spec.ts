import { expect, test } from '@playwright/test';
import { areaStorage, type StorageArea } from '../../src/session/index.ts';
import { tries } from '../tools/quick.ts';
import { begin, delta, finish, Harness } from './harness.ts';
import { settle } from './manual-clock.ts';

const day = 24 * 60 * 60_000;
const turns = tries(200);

/** Counts the listeners of every signal while `work` goes on. */
async function countListeners(work: (count: () => number) => Promise<void>): Promise<void> {
  const held = new Map<EventTarget, Set<unknown>>();
  const watched = new WeakSet<EventTarget>();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (this: EventTarget, type, listener, options) {
    // what loads modules listens to other targets
    if (this instanceof AbortSignal) held.set(this, (held.get(this) ?? new Set()).add(listener));
    // a signal that has fired will not fire again: what listens to it is let go with it
    if (!watched.has(this)) addEventListener.call(this, 'abort', () => held.delete(this), { once: true });
    watched.add(this);
    addEventListener.call(this, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (this: EventTarget, type, listener, options) {
    const own = held.get(this);
    own?.delete(listener);
    if (own?.size === 0) held.delete(this);
    removeEventListener.call(this, type, listener, options);
  };
  try {
    await work(() => [...held.values()].reduce((sum, own) => sum + own.size, 0));
  } finally {
    Object.assign(EventTarget.prototype, { addEventListener, removeEventListener });
  }
}

test('four hundred messages in a day leave no timer and no listener', async () => {
  test.setTimeout(120_000);
  const texts = new Map<string, string>();
  const area: StorageArea = {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
  const harness = new Harness({ storage: areaStorage({ area: () => area, key: 'chat' }) });
  const { session, client, clock } = harness;
  await countListeners(async (count) => {
    session.startFollowing();
    const figures: { timers: number; listeners: number }[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const { stream, turn: over } = await harness.say(`question ${turn}`);
      delta(begin(stream, `R${turn}`), 'half of it');
      await settle();
      if (turn % 10 === 3) {
        // the connection goes in the middle, and stays away for a while
        harness.isOnline = false;
        stream.fail(new TypeError('gone'));
        client.threads.at(-1)?.close();
        await clock.pass(30_000);
        harness.isOnline = true;
        await session.resume();
        await clock.pass(5_000);
        finish(client.replays.at(-1)!.open(), `answer ${turn}`, `M${turn}`);
      } else finish(stream, `answer ${turn}`, `M${turn}`);
      await over;
      session.attended = turn % 2 === 0;
      await clock.pass(day / turns);
      figures.push({ timers: clock.pending, listeners: count() });
    }
    expect(session.conversation.messages).toHaveLength(2 * turns);
    expect(session.connection).toBe('idle');
    expect(figures.at(-1)).toEqual(figures[9]);
    expect(Math.max(...figures.map(({ timers }) => timers))).toBeLessThanOrEqual(2);
    session.dispose();
    await settle();
    expect(clock.pending).toBe(0);
    expect(count()).toBe(0);
  });
});
