import { expect, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { ConversationItem } from '../../../../src/conversation/conversation.ts';
import type { FormElement } from '../../../../src/widget/content/form/form.ts';
import { focusedElement } from '../../chat-fixture.ts';
import { deep, deepAll, itemOf, settled, show, type ItemHarness } from '../item-fixture.ts';

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

/** Types into the control that matches a selector. */
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
  it('right to left, bullets of any language stand before their text', async () => {
    const properties = { rules: { type: 'array', items: { type: 'string' } } };
    const harness = await showForm(properties, { rules: { 'ui:widget': 'BulletList' } }, { rules: ['Slow'] });
    harness.dir = 'rtl';
    expect(getComputedStyle(deep(harness, '.bullets li')).direction).to.equal('rtl');
  });

  it('right to left, numbers, addresses and times are written from left to right, at the side of their label', async () => {
    const formats = { length: 'number', email: 'email', site: 'uri', time: 'time', at: 'date-time' };
    const properties = Object.fromEntries(
      Object.entries(formats).map(([name, format]) => [
        name,
        format === 'number' ? { type: format } : { type: 'string', format },
      ]),
    );
    const harness = await showForm(properties);
    harness.dir = 'rtl';
    const looks = deepAll(harness, 'input').map((input) => {
      const { direction, textAlign } = getComputedStyle(input);
      return `${direction} ${textAlign}`;
    });
    expect(looks).to.deep.equal(Array(5).fill('ltr right'));
  });

  it('tells assistive technology that a field is required, for every kind of field', async () => {
    const kinds = { type: 'array', title: 'Kinds', uniqueItems: true, items: { enum: ['x', 'y'] } };
    const properties = {
      agree: { type: 'boolean', title: 'Agree' },
      berth: { type: 'string', title: 'Berth', enum: ['A', 'B'] },
      stay: { type: 'string', title: 'Stay' },
      kinds,
      several: kinds,
      crew: { type: 'array', title: 'Crew', items: { type: 'string' } },
    };
    const item = {
      response_type: 'form',
      id: 'form-1',
      json_schema: { type: 'object', required: Object.keys(properties), properties },
      ui_schema: {
        agree: { 'ui:widget': 'checkbox' },
        berth: { 'ui:widget': 'radio' },
        stay: { 'ui:widget': 'DateWidget', 'ui:options': { range: true } },
        kinds: { 'ui:widget': 'checkboxes' },
        several: { 'ui:widget': 'MultiselectDropdown' },
      },
    };
    const harness = await show([item]);
    const controls = deepAll<HTMLInputElement>(harness, 'input');
    const said = controls.filter((input) => input.required || input.ariaRequired === 'true');
    expect(said.map(({ type }) => type)).to.deep.equal(['checkbox', 'radio', 'radio', 'date', 'date']);
    const marked = deepAll(harness, 'legend:has(.required:not([aria-hidden]))');
    expect(marked.map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())).to.deep.equal([
      'Kinds *',
      'Kinds *',
      'Crew *',
    ]);
  });

  it('names each control once, and tells assistive technology its error only after sending', async () => {
    const harness = await showForm(
      {
        berth: { type: 'string', title: 'Berth', enum: ['A', 'B'] },
        kinds: { type: 'array', title: 'Kinds', uniqueItems: true, minItems: 2, items: { enum: ['x', 'y'] } },
        salt: { type: 'integer', title: 'Salt', minimum: 0, maximum: 9 },
        stay: { type: 'string', title: 'Stay' },
      },
      {
        berth: { 'ui:widget': 'radio' },
        kinds: { 'ui:widget': 'MultiselectDropdown' },
        stay: { 'ui:widget': 'DateWidget', 'ui:options': { range: true } },
      },
      { kinds: ['x'], salt: 3 },
    );
    const dates = deepAll<HTMLInputElement>(harness, 'input[type=date]');
    expect(dates.map(({ ariaLabel }) => ariaLabel)).to.deep.equal(['From', 'To']); // without their calendar's
    const summary = deep(harness, 'summary');
    expect(summary.ariaLabel).to.equal('Kinds: x');
    expect(summary.querySelector('span')?.ariaHidden).to.equal('true');
    // a slider says its value itself
    expect(deepAll(harness, 'output, [role=status], [aria-live]')).to.deep.equal([]);
    const radios = deepAll(harness, 'input[type=radio]');
    expect(radios.map(({ ariaInvalid }) => ariaInvalid)).to.deep.equal(['false', 'false']);
    await submit(harness);
    const described = summary.getAttribute('aria-describedby') ?? 'none';
    expect(deep(harness, `#${described}`).textContent).to.equal('Add at least 2 entries.');
  });

  it('can clear a choice from a list', async () => {
    const harness = await showForm({
      berth: { type: 'string', enum: ['A', 'B', 'C'] },
    });
    await write(harness, 'select', '1');
    expect(dataOf(harness)).to.deep.equal({ berth: 'B' });
    const select = await write(harness, 'select', '');
    expect(dataOf(harness)).to.deep.equal({});
    expect(select.value).to.equal('');
  });

  it('keeps an additional entry while its value is empty, and removes it on request', async () => {
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

  it('stores both dates of a range in their place, and can clear either', async () => {
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

  it('asks for the missing date of a range, and for a second one that is not before the first', async () => {
    const period = { 'ui:widget': 'DateWidget', 'ui:options': { range: true } };
    const harness = await showForm({ stay: { type: 'string' } }, { stay: period });
    const [from, to] = ['.range-end:first-child input', '.range-end:last-child input'];
    const invalid = () => deepAll(harness, 'input[aria-invalid=true]');
    await write(harness, from, '2026-12-28');
    await submit(harness);
    expect(harness.answers).to.have.length(0);
    expect(deep(harness, '.fault').textContent).to.equal('Enter a date.');
    expect(invalid()).to.deep.equal([deep(harness, to)]);
    expect(focusedElement()).to.equal(deep(harness, to));
    await write(harness, to, '2026-12-20');
    expect(deep(harness, '.fault').textContent).to.equal('Must be December 28, 2026 or later.');
    expect(invalid()).to.deep.equal([deep(harness, to)]);
    await write(harness, to, '2027-01-02');
    await submit(harness);
    expect(harness.answers[0]?.answer.data).to.deep.equal({ stay: '2026-12-28/2027-01-02' });
    harness.context = { ...harness.context, answer: harness.answers[0]!.answer };
    await settled(harness);
    const given = deep(harness, 'dd').textContent?.replaceAll(/\s+/g, ' ').trim();
    expect(given).to.equal('December 28, 2026 – January 2, 2027');
  });

  it('asks for the rest of a date or time that was begun, also where it may be left out', async () => {
    const properties = {
      day: { type: 'string', format: 'date' },
      time: { type: 'string', format: 'time' },
      at: { type: 'string', format: 'date-time' },
      stay: { type: 'object', properties: { from: { type: 'string' }, till: { type: 'string' } } },
    };
    const ui = { stay: { 'ui:widget': 'DateWidget', 'ui:options': { range: true } } };
    for (const [name, schema] of Object.entries(properties)) {
      const harness = await showForm({ [name]: schema }, ui);
      const input = deep<HTMLInputElement>(harness, 'input');
      input.focus();
      await sendKeys({ type: '1' });
      expect(input.validity.badInput, name).to.equal(true);
      await submit(harness);
      expect(harness.answers, name).to.have.length(0);
      expect(input.ariaInvalid, name).to.equal('true');
      expect(deep(harness, '.fault').textContent, name).to.match(/^\s*Enter a (date|time)/);
      await sendKeys({ press: 'Backspace' });
      expect(input.validity.badInput, name).to.equal(false);
      await submit(harness);
      expect(harness.answers, name).to.have.length(1);
    }
  });

  it('sends the number that was typed or none, never another number or a text', async () => {
    const harness = await showForm(
      {
        age: { type: 'number' },
        order: { type: 'integer' },
        code: { type: 'string' },
        grade: { type: 'integer', minimum: 0 },
      },
      { code: { 'ui:widget': 'NumberWidget' } },
      { age: '42' },
    );
    const [age, order, code, grade] = deepAll<HTMLInputElement>(harness, 'input');
    expect([order, code, grade].map((input) => input!.getAttribute('inputmode'))).to.deep.equal([
      null,
      null,
      'numeric',
    ]);
    const fill = async (input: HTMLInputElement, value: string): Promise<void> => {
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await settled(harness);
    };
    await fill(age!, '42x');
    await fill(order!, '12345678901234567890');
    await fill(code!, '007');
    expect(code!.value).to.equal('007');
    expect(dataOf(harness)).to.deep.include({ age: '42x', code: '007' });
    await submit(harness);
    expect(harness.answers).to.have.length(0);
    expect(deepAll(harness, '.fault').map(({ textContent }) => textContent)).to.deep.equal([
      'Enter a number.',
      'Must be 9,007,199,254,740,991 or less.',
    ]);
    await fill(age!, '43');
    await fill(order!, '-12');
    await submit(harness);
    expect(harness.answers[0]?.answer.data).to.deep.equal({ age: 43, order: -12, code: '007' });
  });

  it('does not change a number on wheel', async () => {
    const harness = await showForm({ age: { type: 'number' } });
    const input = await write(harness, 'input', '5');
    input.focus();
    input.dispatchEvent(new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true }));
    expect(input.matches(':focus')).to.equal(false);
  });

  it('keeps the text of a time or date-time while it is typed', async () => {
    const harness = await showForm({
      time: { type: 'string', format: 'time' },
      moment: { type: 'string', format: 'date-time' },
    });
    const time = await write(harness, 'input[type=time]', '09:30');
    expect(time.value).to.equal('09:30');
    expect(time.step).to.equal('');
    // the year starts with a single digit; historical time zones differ by seconds
    const moment = await write(harness, 'input[type=datetime-local]', '0002-05-01T10:30');
    expect(moment.value).to.equal('0002-05-01T10:30');
    const instant = new Date('0002-05-01T10:30').toISOString();
    expect(dataOf(harness)).to.deep.equal({ time: '09:30:00', moment: instant });
    const exact = await showForm({ time: { type: 'string', format: 'time' } }, {}, { time: '10:30:15' });
    expect(deep<HTMLInputElement>(exact, 'input').step).to.equal('1');
    expect((await write(exact, 'input', '10:30:00')).value).to.equal('10:30:00');
    expect(deep<HTMLInputElement>(exact, 'input').step).to.equal('1');
  });

  it('takes the digits of a date-time that is typed without a pause', async () => {
    const harness = await showForm({ moment: { type: 'string', format: 'date-time' } });
    const input = deep<HTMLInputElement>(harness, 'input');
    input.focus();
    await sendKeys({ type: '061220260230PM' });
    expect(input.value).to.equal('2026-06-12T14:30');
  });

  it('reports a file that is too large at once, by name, and continues without it', async () => {
    const harness = await showForm(
      { papers: { type: 'array', items: { type: 'string', format: 'data-url' } } },
      { papers: { 'ui:options': { maxFileSizeMB: 0.001 } } },
    );
    const input = deep<HTMLInputElement>(harness, 'input[type=file]');
    const files = new DataTransfer();
    files.items.add(new File(['a'], 'small.txt', { type: 'text/plain' }));
    files.items.add(new File([new Uint8Array(2000)], 'large.txt', { type: 'text/plain' }));
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
    await waitUntil(() => deepAll(harness, '.fault').length > 0);
    expect(deepAll(harness, '.files li').map(({ textContent }) => textContent?.trim())).to.deep.equal([
      'small.txt',
      'large.txt',
    ]);
    await submit(harness);
    expect(harness.answers).to.have.length(0);
    deep(harness, '[aria-label="Remove large.txt"]').click();
    await settled(harness);
    expect(input.matches(':focus')).to.equal(true);
    await submit(harness);
    expect(harness.answers[0]?.answer.data).to.deep.equal({
      papers: ['data:text/plain;name=small.txt;base64,YQ=='],
    });
  });

  it('reports an unreadable file at once, by name, and continues without it', async () => {
    const harness = await showForm({
      papers: { type: 'array', items: { type: 'string', format: 'data-url' } },
    });
    const input = deep<HTMLInputElement>(harness, 'input[type=file]');
    const files = new DataTransfer();
    files.items.add(new File(['a'], 'here.txt', { type: 'text/plain' }));
    files.items.add(new File(['b'], 'gone.txt', { type: 'text/plain' }));
    input.files = files.files;
    const { readAsDataURL } = FileReader.prototype;
    FileReader.prototype.readAsDataURL = function read(this: FileReader, file: Blob): void {
      if ((file as File).name === 'gone.txt') this.dispatchEvent(new ProgressEvent('error'));
      else readAsDataURL.call(this, file);
    };
    try {
      input.dispatchEvent(new Event('change'));
      await waitUntil(() => deepAll(harness, '.fault').length > 0);
    } finally {
      FileReader.prototype.readAsDataURL = readAsDataURL;
    }
    expect(deep(harness, '.fault').textContent).to.equal('gone.txt could not be uploaded.');
    deep(harness, '[aria-label="Remove gone.txt"]').click();
    await submit(harness);
    expect(harness.answers[0]?.answer.data).to.deep.equal({
      papers: ['data:text/plain;name=here.txt;base64,YQ=='],
    });
  });

  it('sends a password, and stores only that there was one', async () => {
    const harness = await showForm({
      name: { type: 'string' },
      login: { type: 'object', properties: { secret: { type: 'string', format: 'password' } } },
    });
    await write(harness, 'input', 'Marigold');
    await write(harness, 'input[type=password]', 'open sesame');
    await submit(harness);
    const [given] = harness.answers;
    const [item] = [given?.message?.content ?? []].flat();
    expect(typeof item === 'object' && item.form_data).to.deep.equal({
      name: 'Marigold',
      login: { secret: 'open sesame' },
    });
    expect(given?.answer.data).to.deep.equal({ name: 'Marigold', login: { secret: '••••••' } });
  });

  it('shows an empty password as empty', async () => {
    const harness = await showForm({
      secret: { type: 'string', format: 'password' },
      boat: { type: 'string', title: 'Boat' },
    });
    await write(harness, 'input:not([type=password])', 'Albatros');
    await submit(harness);
    harness.context = { ...harness.context, answer: harness.answers[0]!.answer };
    await settled(harness);
    const shown = deepAll(harness, 'dd').map(({ textContent }) => textContent.trim());
    expect(shown).to.deep.equal(['Not answered', 'Albatros']);
  });

  it('takes numbers in Arabic and Persian digits and with the minus sign of typography', async () => {
    const harness = await showForm({ depth: { type: 'number' } });
    for (const [typed, number] of [
      ['\u0661\u0662\u066b\u0665', 12.5],
      ['\u06f1\u06f2', 12],
      ['\u22125', -5],
      ['\u0661\u066c\u0662\u0663\u0664', 1234],
    ] as const) {
      const input = await write(harness, 'input', '');
      input.focus();
      await sendKeys({ type: typed });
      await settled(harness);
      expect(dataOf(harness)).to.deep.equal({ depth: number });
    }
  });

  it('keeps what was written when the agent sends the form again with another field or other data', async () => {
    const form = (more: object, form_data: unknown): ConversationItem => {
      const properties = {
        name: { type: 'string' },
        crew: { type: 'array', items: { type: 'string' } },
        ...more,
      };
      return itemOf({
        response_type: 'form',
        id: 'form-1',
        json_schema: { type: 'object', properties },
        form_data,
      });
    };
    const harness = await showForm({});
    harness.items = [form({ gone: { type: 'string' } }, { crew: ['Ada'], price: 1 })];
    await settled(harness);
    const [name, ada, gone] = deepAll<HTMLInputElement>(harness, 'input');
    for (const [input, value] of [
      [name!, 'Albatros'],
      [ada!, 'Bo'],
      [gone!, 'x'],
    ] as const) {
      input.value = value;
      input.dispatchEvent(new Event('input'));
    }
    harness.items = [form({ price: { type: 'number' } }, { crew: ['Ada'], price: 2 })];
    await settled(harness);
    expect(dataOf(harness)).to.deep.equal({ name: 'Albatros', crew: ['Bo'], price: 2 });
    expect(deep<HTMLInputElement>(harness, 'input')).to.equal(name);
  });

  it('an entry without buttons is as wide as the fields around it', async () => {
    const place = { type: 'array', prefixItems: [{ type: 'number', title: 'Latitude' }], items: false };
    const harness = await showForm({
      place,
      name: { type: 'object', properties: { first: { type: 'string' } } },
    });
    const [latitude, first] = deepAll(harness, 'input').map((input) => input.getBoundingClientRect().right);
    expect(latitude).to.equal(first);
  });

  it('takes the first value of a slider by a click', async () => {
    const harness = await showForm(
      { stars: { type: 'integer', minimum: 1, maximum: 5 } },
      { stars: { 'ui:widget': 'range' } },
    );
    expect(dataOf(harness)).to.deep.equal({});
    deep(harness, 'input').dispatchEvent(new PointerEvent('pointerup'));
    expect(dataOf(harness)).to.deep.equal({ stars: 1 });
  });

  it('a choice that is a list is one choice', async () => {
    const harness = await showForm({ berths: { enum: ['none', [1, 2], [3]] } });
    await write(harness, 'select', '1');
    expect(deep<HTMLSelectElement>(harness, 'select').value).to.equal('1');
    expect(dataOf(harness)).to.deep.equal({ berths: [1, 2] });
  });

  it('keeps the entries of a list that are too many to show, when others are removed or added', async () => {
    const names = Array.from({ length: 250 }, (_, index) => `Guest ${index}`);
    const list = { type: 'array', items: { type: 'string' } };
    const harness = await showForm({ guests: list }, {}, { guests: names });
    deep(harness, 'button[aria-label="Remove Guests 1"]').click();
    await settled(harness);
    expect(dataOf(harness)).to.deep.equal({ guests: names.slice(1) });
  });

  it('clears a choice without an empty option to undefined, not to null', async () => {
    const harness = await showForm({ pier: { type: ['string', 'null'], enum: ['inner', 'outer'] } });
    await write(harness, 'select', '1');
    await write(harness, 'select', '');
    await submit(harness);
    expect(harness.answers[0]?.answer.data).to.deep.equal({});
  });

  it('formats dates, times and numbers in the visitor’s locale and time zone', async () => {
    const harness = await showForm(
      {
        day: { type: 'string', format: 'date' },
        time: { type: 'string', format: 'time' },
        moment: { type: 'string', format: 'date-time' },
        length: { type: 'number' },
      },
      {},
      {
        day: '2026-05-01',
        time: '10:30:00',
        moment: new Date('2026-03-01T09:30').toISOString(),
        length: 1234.5,
      },
    );
    await submit(harness);
    harness.context = { ...harness.context, answer: harness.answers[0]!.answer };
    await settled(harness);
    const given = deepAll(harness, 'dd').map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim());
    expect(given).to.deep.equal(['May 1, 2026', '10:30 AM', 'March 1, 2026 at 9:30 AM', '1234.5']);
  });

  it('sends null for an emptied nullable range or file', async () => {
    const period = { 'ui:widget': 'DateWidget', 'ui:options': { range: true } };
    const json_schema = {
      type: 'object',
      required: ['stay', 'proof'],
      properties: {
        stay: { type: ['string', 'null'] },
        proof: { type: ['string', 'null'], format: 'data-url' },
      },
    };
    const form_data = { stay: '2026-05-01/2026-05-03', proof: 'data:text/plain;name=a.txt,a' };
    const harness = await show([
      { response_type: 'form', id: 'form-1', json_schema, ui_schema: { stay: period }, form_data },
    ]);
    for (const selector of ['.range-end:first-child input', '.range-end:last-child input'])
      await write(harness, selector, '');
    deep(harness, '.files button').click();
    await settled(harness);
    expect(dataOf(harness)).to.deep.equal({ stay: null, proof: null });
    await submit(harness);
    expect(harness.answers).to.have.length(1);
  });

  it('keeps the files of two choices, also while the first are being read', async () => {
    const items = { type: 'string', format: 'data-url' };
    const harness = await showForm({ papers: { type: 'array', items } });
    const input = deep<HTMLInputElement>(harness, 'input[type=file]');
    for (const name of ['one.txt', 'two.txt']) {
      const chosen = new DataTransfer();
      chosen.items.add(new File([name], name, { type: 'text/plain' }));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change'));
    }
    await waitUntil(() => deepAll(harness, '.files li').length > 1, 'both files are named');
    const names = deepAll(harness, '.files span').map(({ textContent }) => textContent);
    expect(names).to.deep.equal(['one.txt', 'two.txt']);
  });

  it('waits for a file that is being read before sending', async () => {
    const harness = await showForm({ paper: { type: 'string', format: 'data-url' } });
    const { readAsDataURL } = FileReader.prototype;
    let read = (): void => undefined;
    FileReader.prototype.readAsDataURL = function (file): void {
      read = () => readAsDataURL.call(this, file);
    };
    const input = deep<HTMLInputElement>(harness, 'input[type=file]');
    const chosen = new DataTransfer();
    chosen.items.add(new File(['one'], 'one.txt', { type: 'text/plain' }));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change'));
    FileReader.prototype.readAsDataURL = readAsDataURL;
    await submit(harness);
    expect(harness.answers).to.have.length(0);
    expect(deep(harness, '[part=form-submit]').ariaDisabled).to.equal('true');
    read();
    await waitUntil(() => harness.answers.length > 0, 'the form is sent');
    expect(harness.answers).to.have.length(1);
    expect(harness.answers[0]!.answer.data).to.deep.equal({
      paper: 'data:text/plain;name=one.txt;base64,b25l',
    });
  });

  it('keeps the two dates of a range inside their box at any width', async () => {
    const period = { 'ui:widget': 'DateWidget', 'ui:options': { range: true } };
    for (const width of ['220px', '330px', '370px', '420px']) {
      const harness = await showForm({ stay: { type: 'string' } }, { stay: period });
      harness.style.boxSizing = 'border-box';
      harness.style.inlineSize = width;
      await settled(harness);
      const frame = deep(harness, '.date-range').getBoundingClientRect();
      const [from, to] = deepAll(harness, 'input[type=date]').map((input) => input.getBoundingClientRect());
      expect(to!.left >= from!.right || to!.top >= from!.bottom, width).to.equal(true);
      expect(Math.max(from!.right, to!.right), width).to.be.at.most(frame.right + 0.5);
      harness.remove();
    }
  });
});

describe('a question for a date', () => {
  it('shows the allowed range', async () => {
    const harness = await show([{ response_type: 'date', id: 'd', min: '2026-05-01', max: '2026-05-10' }]);
    const told = async (value: string): Promise<string> => {
      await write(harness, 'input', value);
      await submit(harness);
      return deepAll(harness, '.fault')[0]?.textContent ?? '';
    };
    expect(await told('')).to.equal('Choose a date.');
    expect(await told('2026-04-30')).to.equal('Must be May 1, 2026 or later.');
    expect(await told('2026-06-01')).to.equal('Must be May 10, 2026 or earlier.');
    expect(await told('2026-05-10')).to.equal('');
    expect(harness.answers).to.have.length(1);
  });
});
