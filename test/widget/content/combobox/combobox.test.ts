import { expect, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { AnnounceEvent } from '../../../../src/widget/events/panel-events.ts';
import { defaultStrings } from '../../../../src/widget/i18n/strings.ts';
import { axeFaults, deep, deepAll, settled, show, type ItemHarness } from '../item-fixture.ts';

const countries = ['Denmark', 'Germany', 'Norway', 'Österreich', 'Sweden', 'Switzerland'];
const closed = { type: 'string', title: 'Country', enum: countries };

interface Shown {
  readonly harness: ItemHarness;
  readonly input: HTMLInputElement;
  readonly button: HTMLButtonElement;
  readonly list: HTMLElement;
}

/** Shows a form with one field that has a list, focused. */
async function showField(schema: object, data?: unknown, widget = 'combobox'): Promise<Shown> {
  const harness = await show([
    {
      response_type: 'form',
      json_schema: { type: 'object', properties: { field: schema } },
      ui_schema: { field: { 'ui:widget': widget } },
      form_data: { field: data },
    },
  ]);
  await waitUntil(() => customElements.get('agent-chat-combobox'));
  await settled(harness);
  const input = deep<HTMLInputElement>(harness, 'input');
  input.focus();
  return {
    harness,
    input,
    button: deep<HTMLButtonElement>(harness, 'agent-chat-combobox button'),
    list: deep(harness, '[role=listbox]'),
  };
}

const isOpen = ({ list, input }: Shown): boolean =>
  list.matches(':popover-open') && input.ariaExpanded !== 'false';
const options = ({ list }: Shown): readonly string[] =>
  deepAll(list, '[role=option]').map(({ textContent }) => textContent.trim());
/** The suggestion that assistive technology is told of. */
function active({ input, list }: Shown): string | undefined {
  // the list is in the same root as the field
  const root = list.getRootNode() as ShadowRoot;
  const id = input.getAttribute('aria-activedescendant');
  return id ? root.getElementById(id)?.textContent.trim() : undefined;
}
const dataOf = ({ harness }: Shown): unknown =>
  (deep(harness, 'agent-chat-form') as HTMLElement & { readonly data: { field?: unknown } }).data.field;

async function press(shown: Shown, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await sendKeys({ press: key });
  await settled(shown.harness);
}

async function type(shown: Shown, text: string): Promise<void> {
  await sendKeys({ type: text });
  await settled(shown.harness);
}

describe('<agent-chat-combobox>', () => {
  it('is a combobox for assistive technology, free of faults, closed and open', async () => {
    const shown = await showField(closed);
    const { input, harness } = shown;
    expect([input.role, input.ariaExpanded, input.getAttribute('list')]).to.deep.equal([
      'combobox',
      'false',
      null,
    ]);
    expect(await axeFaults(harness)).to.deep.equal([]);
    await press(shown, 'ArrowDown');
    expect([isOpen(shown), active(shown), input.ariaExpanded]).to.deep.equal([true, 'Denmark', 'true']);
    expect(options(shown)).to.deep.equal(countries);
    expect(await axeFaults(harness)).to.deep.equal([]);
  });

  it('is walked by arrows, round its ends, and Enter takes the suggestion without sending', async () => {
    const shown = await showField(closed);
    await press(shown, 'ArrowUp');
    expect(active(shown)).to.equal('Switzerland');
    await press(shown, 'ArrowDown', 'ArrowDown');
    expect(active(shown)).to.equal('Germany');
    await press(shown, 'PageDown');
    expect(active(shown)).to.equal('Switzerland');
    await press(shown, 'ArrowUp', 'Enter');
    expect([shown.input.value, dataOf(shown), isOpen(shown)]).to.deep.equal(['Sweden', 'Sweden', false]);
    expect(shown.harness.answers).to.have.length(0);
    await press(shown, 'ArrowDown');
    expect([active(shown), options(shown).length]).to.deep.equal(['Sweden', 6]);
  });

  it('filters what is typed, tells the number of matches once each, and takes the only match', async () => {
    const shown = await showField(closed);
    const told: string[] = [];
    shown.harness.addEventListener('agent-chat-announce', (event) => {
      if (event instanceof AnnounceEvent) told.push(event.text);
    });
    await type(shown, 'swe');
    expect([options(shown), active(shown)]).to.deep.equal([['Sweden'], undefined]);
    expect(told).to.deep.equal(['3 matches', '2 matches', '1 match']);
    await press(shown, 'Enter');
    expect([dataOf(shown), isOpen(shown)]).to.deep.equal(['Sweden', false]);
  });

  it('says that nothing matches a closed field, and takes a name in other letters when left', async () => {
    const shown = await showField(closed);
    await type(shown, 'xyz');
    expect(options(shown)).to.deep.equal([defaultStrings.t('option.matches', { count: 0 })]);
    shown.input.select();
    await type(shown, 'osterreich');
    await press(shown, 'Tab');
    expect([dataOf(shown), shown.input.value, isOpen(shown)]).to.deep.equal([
      'Österreich',
      'Österreich',
      false,
    ]);
  });

  it('Tab takes the active suggestion and goes on', async () => {
    const shown = await showField(closed);
    await press(shown, 'ArrowDown', 'ArrowDown', 'Tab');
    expect([dataOf(shown), isOpen(shown)]).to.deep.equal(['Germany', false]);
    const focused = (shown.list.getRootNode() as ShadowRoot).activeElement;
    expect(focused).to.not.equal(shown.input);
    expect(focused).to.not.equal(shown.button);
  });

  it('Escape closes the list only, and Home and End move the caret', async () => {
    const shown = await showField(closed, 'Norway');
    let heard = 0;
    shown.harness.addEventListener('keydown', ({ key }) => (heard += Number(key === 'Escape')));
    await press(shown, 'ArrowDown');
    expect(active(shown)).to.equal('Norway');
    await press(shown, 'Home');
    expect([active(shown), shown.input.selectionStart, isOpen(shown)]).to.deep.equal([undefined, 0, true]);
    await press(shown, 'Escape');
    expect([isOpen(shown), shown.input.value, heard]).to.deep.equal([false, 'Norway', 0]);
    await press(shown, 'Escape');
    expect(heard).to.equal(1);
  });

  it('opens by its button, closes when something else is pressed, and shows what is chosen', async () => {
    const shown = await showField(closed, 'Norway');
    shown.button.click();
    await settled(shown.harness);
    expect([isOpen(shown), options(shown).length]).to.deep.equal([true, 6]);
    expect(deepAll(shown.list, 'svg')).to.have.length(1);
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    await settled(shown.harness);
    expect(isOpen(shown)).to.equal(false);
    shown.button.click();
    await settled(shown.harness);
    deepAll(shown.list, '[role=option]')[0]?.click();
    await settled(shown.harness);
    expect([dataOf(shown), isOpen(shown)]).to.deep.equal(['Denmark', false]);
  });

  it('stays below or above its field, inside the window', async () => {
    const shown = await showField(closed);
    for (const place of ['0', 'calc(100vh - 120px)']) {
      shown.harness.style.marginBlockStart = place;
      shown.input.scrollIntoView({ block: 'nearest' });
      await press(shown, 'ArrowDown');
      const [field, list] = [shown.input.getBoundingClientRect(), shown.list.getBoundingClientRect()];
      expect(list.top >= field.bottom || list.bottom <= field.top).to.equal(true);
      expect(list.top >= 0 && list.bottom <= innerHeight).to.equal(true);
      expect(Math.round(list.width)).to.equal(Math.round(field.width));
      await press(shown, 'Escape');
    }
  });

  it('shows long lists piece by piece, and knows their length', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `Berth ${index + 1}`);
    const shown = await showField({ type: 'string', title: 'Berth', enum: names });
    await press(shown, 'ArrowDown');
    expect(options(shown).length).to.be.below(100);
    expect(deep(shown.list, '[role=option]').ariaSetSize).to.equal('500');
    await press(shown, 'ArrowUp');
    expect(active(shown)).to.equal('Berth 500');
  });

  it('suggests examples for texts, which may be something else', async () => {
    const schema = {
      type: 'string',
      format: 'email',
      title: 'Email',
      examples: ['a@harbour.example', 'b@quay.example'],
    };
    const shown = await showField(schema, undefined, 'email');
    expect([shown.input.type, shown.input.inputMode, shown.input.role]).to.deep.equal([
      'text',
      'email',
      'combobox',
    ]);
    await type(shown, 'me@');
    expect([isOpen(shown), dataOf(shown)]).to.deep.equal([false, 'me@']);
    await press(shown, 'ArrowDown', 'Enter');
    expect(dataOf(shown)).to.equal('a@harbour.example');
  });

  it('of a number, the button has the focus and the list the keys', async () => {
    const shown = await showField({ type: 'number', title: 'Amperes', examples: [16, 32, 63] }, 16, 'updown');
    expect([shown.input.type, shown.input.role]).to.deep.equal(['number', null]);
    await press(shown, 'Tab');
    const root = shown.list.getRootNode() as ShadowRoot;
    expect(root.activeElement).to.equal(shown.button);
    await press(shown, 'Enter');
    expect(root.activeElement).to.equal(shown.list);
    await press(shown, 'End', 'Enter');
    expect([dataOf(shown), root.activeElement]).to.deep.equal([63, shown.button]);
    expect(await axeFaults(shown.harness)).to.deep.equal([]);
  });

  it('opens nothing where the field cannot be changed', async () => {
    const shown = await showField({ ...closed, readOnly: true }, 'Norway');
    await press(shown, 'ArrowDown');
    expect([isOpen(shown), shown.button.disabled]).to.deep.equal([false, true]);
  });
});
