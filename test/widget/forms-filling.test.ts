import { expect } from '@open-wc/testing';
import type { FormElement } from '../../src/widget/forms/form.ts';
import { deep, deepAll, settled, show, type ItemHarness } from './item-fixture.ts';

async function showForm(
  properties: Readonly<Record<string, unknown>>,
  ui_schema: unknown = {},
  form_data: unknown = undefined,
): Promise<ItemHarness> {
  const json_schema = { type: 'object', properties };
  return show([{ response_type: 'form', id: 'form-1', json_schema, ui_schema, form_data }]);
}

function dataOf(harness: ItemHarness): unknown {
  return deep<FormElement>(harness, 'agent-chat-form').data;
}

/** Writes into the control that a selector finds, as a visitor would. */
async function write(harness: ItemHarness, selector: string, value: string): Promise<HTMLInputElement> {
  const control = deep<HTMLInputElement>(harness, selector);
  control.value = value;
  control.dispatchEvent(new Event(control.localName === 'select' ? 'change' : 'input', { bubbles: true }));
  await settled(harness);
  return control;
}

async function submit(harness: ItemHarness): Promise<void> {
  deep<HTMLFormElement>(harness, 'form').requestSubmit();
  await settled(harness);
}

describe('filling in a form', () => {
  it('takes an answer back that was chosen from a list', async () => {
    const harness = await showForm({
      berth: { type: 'string', enum: ['A', 'B', 'C'] },
    });
    await write(harness, 'select', '1');
    expect(dataOf(harness)).to.deep.equal({ berth: 'B' });
    const select = await write(harness, 'select', '');
    expect(dataOf(harness)).to.deep.equal({});
    expect(select.value).to.equal('');
  });

  it('keeps an entry the visitor named while its value is emptied, and removes it when asked to', async () => {
    const harness = await showForm({ tags: { type: 'object', additionalProperties: { type: 'string' } } });
    deep(harness, 'button.add').click();
    await settled(harness);
    await write(harness, '.extra .value input', 'x');
    await write(harness, '.extra .value input', '');
    expect(dataOf(harness)).to.deep.equal({ tags: { Name: '' } });
    expect(deepAll(harness, '.extra')).to.have.length(1);
    deep(harness, '.extra .icon-button').click();
    await settled(harness);
    expect(deepAll(harness, '.extra')).to.have.length(0);
    expect(dataOf(harness)).not.to.have.nested.property('tags.Name');
  });

  it('keeps both days of a period where they belong, and lets either be taken back', async () => {
    const period = { 'ui:widget': 'DateWidget', 'ui:options': { range: true } };
    const list = await showForm({ stay: { type: 'array', items: { type: 'string' } } }, { stay: period });
    const [, to] = deepAll<HTMLInputElement>(list, 'input[type=date]');
    to!.value = '2026-05-03';
    to!.dispatchEvent(new Event('input', { bubbles: true }));
    await settled(list);
    const shown = deepAll<HTMLInputElement>(list, 'input[type=date]').map(({ value }) => value);
    expect(shown).to.deep.equal(['', '2026-05-03']);
    const ends = { from: { type: 'string' }, till: { type: 'string' } };
    const object = await showForm(
      { stay: { type: 'object', properties: ends } },
      { stay: period },
      { stay: { from: '2026-05-01', till: '2026-05-03', note: 'kept' } },
    );
    const till = deepAll<HTMLInputElement>(object, 'input[type=date]')[1]!;
    till.value = '';
    till.dispatchEvent(new Event('input', { bubbles: true }));
    await settled(object);
    expect(till.value).to.equal('');
    expect(dataOf(object)).to.deep.equal({ stay: { note: 'kept', from: '2026-05-01' } });
  });
});
