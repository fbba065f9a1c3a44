import { expect } from '@open-wc/testing';
import { blend, formatHex, parse, wcagContrast } from 'culori';
import { formItem, richTable, richText, richTurn } from '../../tools/rich-answer.ts';
import { ChatFixture, fresh, freshItems, freshTurn, RunService, until } from '../chat-fixture.ts';
import { emulateWindow, endEmulation } from '../emulation.ts';
import { drawnPairs, putInState, states, type Pair } from './drawn-pairs.ts';

/** How many triples of colours are tried in each theme and state; `TRIPLES=520` is the long run. */
const count = Number(process.env['TRIPLES']);

const options = ['One', 'Two'].map((label) => ({ label, value: { input: { text: label } } }));
const form = formItem({
  title: 'Your booking',
  required: ['boat'],
  properties: {
    boat: { type: 'string', title: 'Boat name', description: 'As in its papers' },
    berth: { type: 'string', title: 'Berth', enum: ['C 14', 'D 03'] },
    agree: { type: 'boolean', title: 'I agree' },
  },
});

/** Triples of any colours, greys and the hardest ones among them, the same at every run. */
function triples(): (readonly [string, string, string])[] {
  const hard = ['#777777', '#ffff00', '#0000ff', '#ffffff', '#000000', '#00ff00', '#ff0000', '#767676'];
  let state = 23;
  const any = (): string => {
    state = (state * 16807) % 2147483647;
    if (state % 5 === 0) return hard[state % hard.length] ?? '';
    return `#${(state % 0x1000000).toString(16).padStart(6, '0')}`;
  };
  return Array.from({ length: count }, () => [any(), any(), any()] as const);
}

const hexes = new Map<string, string>();
/** What layers of colours look like together. */
function flat(layers: readonly string[]): string {
  const key = layers.join(' ');
  const known = hexes.get(key);
  if (known) return known;
  const colours = [...layers].reverse().map((layer) => {
    const colour = parse(layer);
    if (!colour) throw new Error(`${layer} is no colour`);
    return colour;
  });
  const hex = formatHex(blend(colours, 'normal', 'rgb'));
  hexes.set(key, hex);
  return hex;
}

describe('all text, icons, borders and focus rings reach their contrast for any brand in both themes', function () {
  this.timeout(60_000 + count * 1000);
  let service: RunService;
  let chat: ChatFixture;
  const page = document.documentElement;
  beforeEach(async () => {
    await emulateWindow(1280, 900);
    service = new RunService(({ message }) => {
      const text = message.content[0]?.text ?? '';
      if (text.includes('options'))
        return freshItems([
          { response_type: 'option', id: 'o', title: 'Which?', preference: 'button', options },
        ]);
      if (text.includes('form')) return freshItems([form]);
      if (!text.includes('fail')) return fresh(richTurn(richText + richTable));
      const error = { message: 'The office’s books cannot be reached.' };
      return freshTurn(['Half of ']).flatMap((event) =>
        event.event === 'run.completed'
          ? [{ ...event, event: 'run.failed', data: { ...event.data, error } }]
          : event.event.startsWith('message.c')
            ? []
            : [event],
      );
    });
    chat = ChatFixture.begin({ storage: 'none', height: '2000px' });
    await chat.open();
    const said = ['See https://example.com/plan, please', 'With options', 'This will fail', 'A form'];
    for (const [index, words] of said.entries()) {
      chat.say(words);
      await until(() => chat.turns.length === index + 1 && /idle|failed/.test(chat.host.connection));
    }
    await until(() => chat.find('[part~=form-submit]').ariaDisabled !== 'true');
    chat.find('[part~=form-submit]').click();
    await until(() => chat.all('agent-chat-form [aria-invalid=true]').length > 0);
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    page.style.background = '';
    await endEmulation();
  });

  for (const state of Object.keys(states) as (keyof typeof states)[]) {
    it(state, async () => {
      putInState(chat.host, state);
      const found = new Map<string, Pair>();
      for (const theme of ['light', 'dark']) {
        // the launcher stands on the page itself
        page.style.background = theme === 'dark' ? '#14171c' : '#ffffff';
        for (const [index, [primary, second, accent]] of triples().entries()) {
          chat.host.setAttribute('theme', theme);
          chat.host.setAttribute('primary-color', primary);
          chat.host.setAttribute('second-color', second);
          chat.host.setAttribute('accent-color', accent);
          await chat.host.setDraft(index % 2 === 0 ? 'A draft' : '');
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          for (const pair of drawnPairs(chat.host, state, `${theme} ${primary} ${second} ${accent}`))
            found.set([pair.front, ...pair.behind, pair.least].join(), pair);
        }
      }
      expect(found.size).to.be.above(count * 10);
      const faults = [...found.values()].flatMap(({ front, behind, least, where }) => {
        const ground = flat(behind);
        const ratio = wcagContrast(flat([front, ground]), ground);
        return ratio >= least ? [] : [`${where}: ${front} on ${ground} is ${ratio.toFixed(2)}, not ${least}`];
      });
      expect(faults).to.deep.equal([]);
    });
  }
});
