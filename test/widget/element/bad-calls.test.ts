import { expect } from '@open-wc/testing';
import { ChatFixture, RunService, until } from '../chat-fixture.ts';

it('invalid calls of methods are rejected with a message, and the conversation stays', async () => {
  const service = new RunService();
  const chat = ChatFixture.begin({ storage: 'none' });
  await chat.open();
  chat.say('Still here');
  await until(() => chat.lastAnswer === 'Fine.');
  // as an untyped page may call it
  const host = chat.host as unknown as Record<string, (argument: unknown) => Promise<unknown>>;
  const calls: readonly (readonly [name: string, argument: unknown])[] = [
    ['setThread', 'nope'],
    ['setThread', 42],
    ['setThread', {}],
    ['exportTranscript', 'pdf'],
    ['send', 42],
    ['send', null],
    ['send', Symbol('hi')],
    ['send', [{ response_type: 'text', text: 'Hi' }, 'Hi', null]],
  ];
  const refused = await Promise.all(
    calls.map(([name, argument]) => host[name]?.(argument).then(String, String)),
  );
  expect(refused).to.deep.equal([
    'TypeError: setThread takes a UUID',
    'TypeError: setThread takes a UUID',
    'TypeError: setThread takes a UUID',
    'TypeError: exportTranscript takes markdown, json or jsonl',
    ...Array<string>(4).fill('TypeError: send takes text or items'),
  ]);
  expect(chat.lastAnswer).to.equal('Fine.');
  expect(service.posted).to.have.length(1);
  chat.remove();
  service.stop();
});
