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

it('an empty draft or thread clears the current one, and a number is a text', async () => {
  const service = new RunService();
  const chat = ChatFixture.begin();
  const told: string[] = [];
  chat.host.addEventListener('agent-chat-diagnostic', ({ message }) => told.push(message));
  await chat.open();
  // as an untyped page may call it
  const host = chat.host as unknown as Record<
    'setDraft' | 'setThread',
    (argument: unknown) => Promise<unknown>
  >;
  chat.write('A draft');
  await host.setDraft(undefined);
  await until(() => chat.composer.value === '');
  await host.setDraft(5);
  await until(() => chat.composer.value === '5');
  chat.write('');
  for (const none of [null, '']) {
    await host.setThread(none);
    expect(chat.host.conversation?.threadId).to.equal(undefined);
  }
  chat.say('Hello');
  await until(() => chat.lastAnswer === 'Fine.');
  expect(told).to.deep.equal([]);
  chat.remove();
  service.stop();
});

it('a page that passes a new fetch with each render is asked for one token', async () => {
  const service = new RunService();
  const chat = ChatFixture.begin();
  await chat.open();
  const asked: string[] = [];
  chat.host.tokenProvider = (reason) => {
    asked.push(reason);
    return 't';
  };
  for (const round of ['first', 'second']) {
    chat.host.fetch = (input, init) => {
      asked.push(round);
      return fetch(input, init);
    };
    await chat.host.updateComplete;
    await chat.host.send(`Hello, ${round}`);
  }
  expect(asked.filter((told) => told === 'initial')).to.have.length(1);
  expect([...new Set(asked)].sort()).to.deep.equal(['first', 'initial', 'second']);
  chat.remove();
  service.stop();
});

it('what is no tool of the page gets a diagnostic', async () => {
  const service = new RunService();
  const chat = ChatFixture.begin();
  const told: string[] = [];
  chat.host.addEventListener('agent-chat-diagnostic', ({ message }) => told.push(message));
  const register = chat.host.registerTool.bind(chat.host) as (tool?: unknown) => () => void;
  const remove = [undefined, null, 'zoom', {}].map((tool) => register(tool)).at(-1);
  await chat.open();
  chat.say('Hello');
  await until(() => chat.lastAnswer === 'Fine.');
  await until(() => told.length > 0);
  expect(told.join()).to.include('undefined');
  remove?.();
  expect(chat.host.registeredTools.size).to.equal(0);
  chat.remove();
  service.stop();
});
