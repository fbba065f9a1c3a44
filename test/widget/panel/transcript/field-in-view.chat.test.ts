import { formItem } from '../../../tools/rich-answer.ts';
import {
  ChatFixture,
  focusedElement,
  freshItems,
  RunService,
  until,
  visibleRatio,
} from '../../chat-fixture.ts';
import { emulateWindow, endEmulation } from '../../emulation.ts';

const names = Array.from({ length: 8 }, (_none, at) => `Berth ${at + 1}`);

describe('a field in the conversation', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(async () => {
    await emulateWindow(390, 844);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', title: name }]));
    service = new RunService(() => freshItems([formItem({ properties })]));
    chat = ChatFixture.begin();
    await chat.open();
    chat.say('A form, please');
    await chat.shows('agent-chat-form input', names.length);
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  for (const at of [0, 3, 5, 7])
    it(`stays in view while it is written in, when a keyboard takes half of the window: ${names[at]}`, async () => {
      const field = chat.all<HTMLInputElement>('agent-chat-form input')[at]!;
      field.focus();
      await until(async () => focusedElement() === field && (await visibleRatio(field)) === 1);
      await emulateWindow(390, 422);
      await until(async () => innerHeight === 422 && (await visibleRatio(field)) === 1);
    });
});
