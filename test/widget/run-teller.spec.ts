import { expect, test } from '@playwright/test';
import type { RunEndEvent } from '../../src/widget/events.ts';
import { RunTeller } from '../../src/widget/run-teller.ts';
import { begin, finish, Harness } from '../session/harness.ts';
import { settle } from '../session/manual-clock.ts';

test('a turn that is repeated begins again for the page, and ends again', async () => {
  const harness = new Harness();
  const target = new EventTarget();
  const teller = new RunTeller(target);
  const heard: string[] = [];
  target.addEventListener('agent-chat-run-start', () => heard.push('start'));
  target.addEventListener('agent-chat-run-end', (event) => heard.push((event as RunEndEvent).status)); // its type
  harness.session.subscribe(() => teller.tell(harness.session.conversation));
  const { stream, turn } = await harness.say('hello');
  stream.open().emit('run.started', { run_id: 'R', thread_id: 'T' }).emit('run.failed', { error: 'busy' });
  stream.emit('done').close();
  await turn;
  expect(heard).toEqual(['start', 'failed']);
  const again = harness.session.retry();
  await settle();
  finish(begin(harness.client.posts[1]!, 'R2'), 'here you are');
  await again;
  expect(heard).toEqual(['start', 'failed', 'start', 'completed']);
});
