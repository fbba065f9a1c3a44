import { expect, test } from '@playwright/test';
import { emptyConversation } from '../../../src/conversation/index.ts';
import { markStop, stopRun } from '../../../src/conversation/stream-actions.ts';
import { Narrator } from '../../../src/widget/announcements/conversation-announcer.ts';
import type { Scene } from '../../../src/widget/announcements/announced-state.ts';
import { defaultWords } from '../../../src/widget/i18n/words.ts';
import { begin, Harness } from '../../session/harness.ts';
import { settle } from '../../session/manual-clock.ts';

for (const [when, stoppedAt, heard] of [
  ['while it is still to be said', Date.now() + 60_000, ['notice.stopped', 'notice.may-continue']],
  ['once it was said', 1, ['notice.stopped']],
] as const) {
  test(`that the service did not confirm a Stop is told in the place of the Stop ${when}`, async () => {
    const harness = new Harness();
    begin((await harness.say('hello')).stream);
    await settle();
    const said: string[] = [];
    const narrator = new Narrator(
      { say: (text) => said.push(text), drop: () => undefined },
      { since: 0, told: '' },
    );
    const words = Object.assign(Object.create(defaultWords), { say: (key: string) => key });
    const look = (conversation: Scene['conversation']): void =>
      narrator.update({ conversation, connection: 'idle', words, name: '', mode: 'answer', shown: true });
    look(emptyConversation);
    look(harness.session.conversation);
    said.length = 0;
    const stopped = stopRun(harness.session.conversation, harness.run.id, stoppedAt);
    look(stopped);
    look(markStop(stopped, harness.run.id, false));
    expect(said).toEqual(heard);
  });
}
