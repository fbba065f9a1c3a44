import { expect, test } from '@playwright/test';
import {
  readObservable,
  type Backlog,
  type Observed,
} from '../../../../src/service/agents/upstream/read-observable.ts';

type Observer = Parameters<Observed<object>['subscribe']>[0];

/** An observable that the test feeds. */
function source(): { read: AsyncGenerator<object>; observer: () => Observer; backlog: () => Backlog } {
  let observer: Observer | undefined;
  let backlog: Backlog | undefined;
  const read = readObservable<object>((given) => {
    backlog = given;
    return {
      subscribe(next) {
        observer = next;
        return { unsubscribe: () => undefined };
      },
    };
  });
  const known = <Found>(found: Found | undefined): Found => {
    if (!found) throw new Error('nobody has subscribed');
    return found;
  };
  return { read, observer: () => known(observer), backlog: () => known(backlog) };
}

test('values come in order, and a source is let go on when the reader has caught up', async () => {
  const { read, observer, backlog } = source();
  const first = read.next();
  observer().next({ number: 1 });
  observer().next({ number: 2 });
  const told: string[] = [];
  const drained = backlog()
    .drained()
    .then(() => told.push('drained'));
  expect((await first).value).toEqual({ number: 1 });
  expect(told).toEqual([]);
  expect((await read.next()).value).toEqual({ number: 2 });
  const end = read.next();
  await drained;
  observer().complete();
  expect((await end).done).toBe(true);
});

test('a source is let go on after its reader has left, although values wait', async () => {
  const { read, observer, backlog } = source();
  const first = read.next();
  observer().next({ number: 1 });
  await first;
  observer().next({ number: 2 });
  const waiting = backlog().drained();
  await read.return(undefined);
  await waiting;
  await backlog().drained();
});

test('an error is thrown after the values before it, even if it is undefined', async () => {
  const { read, observer } = source();
  const first = read.next();
  observer().next({ number: 1 });
  observer().error(undefined);
  expect((await first).value).toEqual({ number: 1 });
  await expect(read.next()).rejects.toBeUndefined();
});
