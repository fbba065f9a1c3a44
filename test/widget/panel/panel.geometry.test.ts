import { expect } from '@open-wc/testing';
import { ChatFixture, freshItems, freshTurn, RunService, until } from '../chat-fixture.ts';
import { emulateWindow, endEmulation } from '../emulation.ts';
import { formItem } from '../../tools/rich-answer.ts';
import { layoutFaults } from './layout-faults.ts';

const long = 'w'.repeat(10_000);
const heading = 'Agent of the harbour office '.repeat(8).slice(0, 200);
const options = Array.from({ length: 40 }, (_none, index) => ({
  label: index % 7 === 0 ? `Berth ${index} ${'with a very long name '.repeat(4)}` : `Berth ${index}`,
  value: { input: { text: `Berth ${index}` } },
}));
const form = formItem({
  title: `A form with a word of ${'t'.repeat(200)}`,
  required: ['boat', 'mail', 'berth', 'agree'],
  properties: {
    boat: { type: 'string', title: 'Boat name '.repeat(12), description: 'd'.repeat(300) },
    mail: { type: 'string', format: 'email', title: 'E-mail' },
    berth: { type: 'string', title: 'Berth', enum: options.map(({ label }) => label) },
    agree: { type: 'boolean', title: `I agree ${'to everything '.repeat(20)}`, const: true },
  },
});

describe('the geometry of every state', function () {
  this.timeout(60_000);
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(() => {
    document.body.style.margin = '0';
    service = new RunService();
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    document.body.style.margin = '';
    await endEmulation();
  });

  const list = (preference: string): void => {
    service.reply = () =>
      freshItems([{ response_type: 'option', id: 'o', title: 'Which?', preference, options }]);
  };
  const failing = (pieces: readonly string[], message: string): void => {
    service.reply = () =>
      freshTurn(pieces).flatMap((event) =>
        event.event === 'run.completed'
          ? [{ ...event, event: 'run.failed', data: { ...event.data, error: { message } } }]
          : event.event.startsWith('message.c')
            ? []
            : [event],
      );
  };

  /** Each state with what must be seen before it is measured. */
  const states: Record<string, () => Promise<void>> = {
    'a list of 40 options as buttons': async () => {
      list('button');
      chat.say('Which?');
      await until(() => chat.buttons(/^Berth/).length === 40);
    },
    'a list of 40 options to pick from': async () => {
      list('dropdown');
      chat.say('Which?');
      await chat.answered(1);
    },
    'words of 10,000 characters, asked and answered': async () => {
      service.reply = () =>
        freshTurn([
          `${long}\n\n- ${long}\n\n> ${long}\n\n\`${long}\`\n\n| ${long} | b |\n|--|--|\n| a | b |\n`,
        ]);
      chat.say(long);
      await chat.answered(1);
    },
    'a form that is filled in wrongly': async () => {
      service.reply = () => freshItems([form]);
      chat.say('A form');
      await chat.answered(1);
      await chat.items(1);
      await until(() => chat.host.connection === 'idle');
      await until(() => chat.find('[part~=form-submit]').ariaDisabled !== 'true');
      chat.find('[part~=form-submit]').click();
      await until(() => chat.all('agent-chat-form [aria-invalid=true]').length > 0);
    },
    'a run that fails with many words': async () => {
      failing(['Half of '], `It failed: ${'e'.repeat(300)} ${'and more words '.repeat(40)}`);
      chat.say('Fail');
      await chat.shows('.notice');
    },
    'an error as a part of the answer': async () => {
      const text = `Not found: ${'n'.repeat(400)}`;
      service.reply = () => freshItems([{ response_type: 'inline_error', id: 'e', text }]);
      chat.say('Fail inside');
      await until(() => chat.all('agent-chat-turn-actions, .notice').length > 0);
    },
    'a message that is too long to send': async () => {
      chat.write('A word and another. '.repeat(7000));
      await until(() => chat.all('agent-chat-composer [role=alert], agent-chat-composer .fault').length > 0);
    },
  };
  for (const status of [401, 403, 404, 413, 422, 429, 500]) {
    states[`a refusal with ${status}`] = async () => {
      const detail = [{ loc: ['body'], msg: 'm'.repeat(300), type: 'x' }];
      service.reply = () => Response.json({ detail }, { status, headers: { 'retry-after': '60' } });
      chat.say('Refuse me');
      await chat.shows('.notice');
    };
  }

  for (const [width, height] of [
    [280, 320],
    [400, 720],
    [1600, 1000],
  ] as const) {
    it(`at ${width} by ${height} every state fits, nothing overlaps, and all controls can be reached`, async () => {
      const faults: string[] = [];
      await emulateWindow(width, height);
      for (const [state, reach] of Object.entries(states)) {
        // refusals differ in their words only: all of them where there is the least room
        if (state.startsWith('a refusal') && width > 280 && !state.endsWith('429')) continue;
        chat = ChatFixture.begin(
          { storage: 'none', heading, ...(width > 1000 ? { 'form-type': 'fullscreen-overlay' } : {}) },
          {
            header: {
              subtitle: 'Answers in seconds '.repeat(6),
              disclaimer: 'Answers can be wrong. Check what matters.',
            },
          },
        );
        await chat.open();
        await chat.still();
        await reach();
        faults.push(...layoutFaults(chat.find('.panel')).map((fault) => `${state}: ${fault}`));
        chat.remove();
      }
      expect(faults).to.deep.equal([]);
    });
  }
});
