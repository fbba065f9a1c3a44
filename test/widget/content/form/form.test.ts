import { expect } from '@open-wc/testing';
import { emulateMedia, endEmulation } from '../../emulation.ts';
import type { FormElement } from '../../../../src/widget/content/form/form.ts';
import { createStrings } from '../../../../src/widget/i18n/strings.ts';
import { ja as contentJa } from '../../../../src/widget/i18n/locales/content/ja.ts';
import { ja } from '../../../../src/widget/i18n/locales/ja.ts';
import { browserCorpus } from '../../browser-corpus.ts';
import {
  axeFaults,
  axeFaultsOfPage,
  deep,
  deepAll,
  settled,
  show,
  textOf,
  type ItemHarness,
} from '../item-fixture.ts';
import { isQuick, sample } from '../../../tools/quick.ts';

interface FormCase {
  readonly name: string;
  readonly schema: unknown;
  readonly uiSchema?: unknown;
  readonly uischema?: unknown;
  readonly formData: unknown;
  readonly formdata_valid_by_cfworker: boolean | null;
}

const cases = await browserCorpus<FormCase>('forms');

async function showForm(
  json_schema: unknown,
  ui_schema: unknown = {},
  form_data: unknown = undefined,
): Promise<ItemHarness> {
  return show([{ response_type: 'form', id: 'form-1', json_schema, ui_schema, form_data }]);
}

/** Maximum number of reads of the schema until a form is rendered, validated and sent. */
const mostLooks = 1_000_000;

/** Wraps a value to count reads at any depth: a measure of work that does not depend on the machine. */
function counting(value: unknown, looks: { count: number }, known = new WeakMap<object, object>()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const before = known.get(value);
  if (before) return before;
  const counted = new Proxy(value, {
    get: (target, key) => {
      looks.count += 1;
      return counting(Reflect.get(target, key), looks, known);
    },
    ownKeys: (target) => {
      looks.count += 1;
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor: (target, key) => {
      const found = Reflect.getOwnPropertyDescriptor(target, key);
      return found && { ...found, value: counting(found.value, looks, known) };
    },
  });
  known.set(value, counted);
  return counted;
}

function fill(harness: ItemHarness, label: string, value: string): void {
  const control = controlFor(harness, label);
  // labels of these forms belong to inputs, selects and text areas
  (control as HTMLInputElement).value = value;
  control.dispatchEvent(new Event(control.localName === 'select' ? 'change' : 'input', { bubbles: true }));
}

function controlFor(harness: ItemHarness, label: string): HTMLElement {
  const found = deepAll<HTMLLabelElement>(harness, 'label').find(
    (one) => words(one).replace(/ \*$/, '') === label,
  );
  const control =
    found?.control ??
    deepAll(harness, '[aria-label]').find((one) => one.getAttribute('aria-label') === label);
  if (!control) throw new Error(`no field ${label}: ${deepAll(harness, 'label').map(words).join(' | ')}`);
  return control;
}

function words(element: Element): string {
  return element.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

async function press(harness: ItemHarness, name: string): Promise<void> {
  const button = deepAll<HTMLButtonElement>(harness, 'button, summary').find(
    (one) => words(one) === name || one.getAttribute('aria-label') === name,
  );
  if (!button) throw new Error(`no button ${name}`);
  button.click();
  await settled(harness);
}

function sent(harness: ItemHarness): unknown {
  return harness.answers.at(-1)?.message?.content;
}

describe('<agent-chat-form>', () => {
  it('renders every form of the corpus, keeps its data unchanged and passes axe', async function () {
    this.timeout(120_000);
    if (!cases) {
      console.log('skipped: ../shared/corpora is absent, forms.json was not read');
      return this.skip();
    }
    for (const { name, schema, uiSchema, uischema, formData, formdata_valid_by_cfworker } of sample(cases)) {
      const harness = await showForm(schema, uiSchema ?? uischema ?? {}, formData);
      const form = deep<FormElement>(harness, 'agent-chat-form');
      expect(deepAll(harness, 'form').length, name).to.equal(1);
      expect(textOf(harness), name).not.to.contain('could not be shown');
      expectKept(formData, form.data, name);
      await press(harness, 'Submit');
      if (formdata_valid_by_cfworker) {
        expect(harness.answers.length, `${name}: ${textOf(harness).slice(-300)}`).to.equal(1);
        // sent as an object in every case; the stored copy contains no passwords
        const [answer] = sent(harness) as readonly { readonly form_data?: unknown }[];
        const isObject = typeof formData === 'object' && !Array.isArray(formData);
        expectKept(isObject ? formData : { value: formData }, answer?.form_data, name);
      }
    }
    expect(await axeFaultsOfPage()).to.deep.equal([]);
  });

  it('goes from a question through an error to an answer that stays', async () => {
    const harness = await showForm({
      type: 'object',
      title: 'Your booking',
      required: ['boat', 'mail'],
      properties: {
        boat: { type: 'string', title: 'Boat name' },
        mail: { type: 'string', title: 'E-mail', format: 'email', description: 'For the receipt' },
        length: { type: 'number', title: 'Length', minimum: 1 },
      },
    });
    fill(harness, 'Boat name', 'Albatros');
    fill(harness, 'E-mail', 'anna@');
    await press(harness, 'Submit');
    expect(harness.answers).to.have.length(0);
    const mail = controlFor(harness, 'E-mail');
    expect(mail.matches(':focus')).to.equal(true);
    expect(mail.getAttribute('aria-invalid')).to.equal('true');
    const described = mail.getAttribute('aria-describedby')?.split(' ') ?? [];
    // ids are in the form's own root
    const root = mail.getRootNode() as ShadowRoot;
    expect(described.map((id) => words(root.getElementById(id)!))).to.deep.equal([
      'Enter a full email address, like name@example.com',
      'For the receipt',
    ]);
    fill(harness, 'E-mail', 'anna@example.org');
    await settled(harness);
    expect(mail.hasAttribute('aria-invalid')).to.equal(false);
    fill(harness, 'Length', '11.5');
    await press(harness, 'Submit');
    const data = { boat: 'Albatros', mail: 'anna@example.org', length: 11.5 };
    expect(sent(harness)).to.deep.equal([
      { response_type: 'form_operation', id: 'form-1', form_operation: 'submit', form_data: data },
    ]);
    harness.context = { ...harness.context, answer: harness.answers[0]!.answer };
    await settled(harness);
    expect(deepAll(harness, 'input, button')).to.have.length(0);
    expect(textOf(harness))
      .to.contain('Albatros')
      .and.to.contain('anna@example.org')
      .and.to.contain('Submitted');
    expect(await axeFaults(harness)).to.deep.equal([]);
  });

  it('returns the agent’s identifying fields, and cancels without validation', async () => {
    const harness = await show([
      {
        response_type: 'forms',
        id: 'f7',
        sub_type: 's',
        event_type: 'e',
        dps_payload_id: 'd',
        json_schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        ui_schema: {
          'ui:submitButtonOptions': { submitText: 'Book berth' },
          'ui:cancelButtonOptions': { showCancel: true, cancelText: 'Not now' },
        },
        form_data: {},
      },
    ]);
    expect(textOf(harness)).to.contain('Book berth');
    await press(harness, 'Not now');
    expect(sent(harness)).to.deep.equal([
      {
        response_type: 'form_operation',
        id: 'f7',
        form_operation: 'cancel',
        form_data: {},
        sub_type: 's',
        event_type: 'e',
        dps_payload_id: 'd',
      },
    ]);
    expect(harness.answers[0]?.message?.additional_properties?.display_properties?.form_operation).to.equal(
      'cancel',
    );
    expect(harness.answers[0]?.message?.parent_message_id).to.equal('5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10');
  });

  it('shows dates of what was answered in the visitor’s language, also without a schema', async () => {
    const form_data = {
      arrival: '2026-12-28',
      call: '2026-12-28T09:30',
      stay: '2026-12-28/2027-01-02',
      days: ['2026-12-28', '2026-12-31'],
      berth: '2026/C 14',
    };
    const harness = await show([
      { response_type: 'form_operation', id: 'o', form_operation: 'submit', form_data },
    ]);
    const given = deepAll(harness, 'dd').map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim());
    expect(given).to.deep.equal([
      'December 28, 2026',
      'December 28, 2026 at 9:30 AM',
      'December 28, 2026 – January 2, 2027',
      'December 28, 2026, December 31, 2026',
      '2026/C 14',
    ]);
  });

  it('joins lists as the language does', async () => {
    const words = createStrings('ja', { ...ja, ...contentJa });
    const crew = ['花子', '太郎'];
    const data = { crew };
    const json_schema = {
      type: 'object',
      properties: { crew: { type: 'array', uniqueItems: true, items: { type: 'string', enum: crew } } },
    };
    const ui_schema = { crew: { 'ui:widget': 'multiselect' } };
    const form = { response_type: 'form', id: 'a', json_schema, ui_schema, form_data: data };
    const open = await show([form], { words });
    expect(deep(open, 'summary').textContent.trim()).to.equal('花子、太郎');
    const operation = { response_type: 'form_operation', id: 'b', form_operation: 'submit', form_data: data };
    const sent = await show([operation], { words });
    expect(deep(sent, 'dd').textContent.trim()).to.equal('花子、太郎');
  });

  it('renders every widget on the wire, and unknown ones by the schema', async () => {
    const people = {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
    };
    const colours = {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', enum: ['red', 'blue'], enumNames: ['Red', 'Blue'] },
    };
    const widgets: readonly (readonly [string, unknown, string])[] = [
      ['TextWidget', { type: 'string' }, 'input[type=text]'],
      ['TextareaWidget', { type: 'string' }, 'textarea'],
      ['RadioWidget', { type: 'string', enum: ['a', 'b'] }, 'input[type=radio]'],
      ['CheckboxWidget', { type: 'boolean' }, 'input[type=checkbox]'],
      ['ComboboxWidget', { type: 'string', enum: ['a', 'b'] }, '.combobox > input[type=text]'],
      ['MultiselectDropdown', colours, 'details input[type=checkbox]'],
      ['NumberWidget', { type: 'number' }, 'input[type=number]'],
      ['DateWidget', { type: 'string' }, 'input[type=date]'],
      ['TimeWidget', { type: 'string' }, 'input[type=time]'],
      ['Table', people, 'agent-chat-table'],
      ['EditableTable', people, '.table input[type=number]'],
      ['FileUpload', { type: 'string' }, 'input[type=file]'],
      ['FileDownloadWidget', { type: 'string' }, 'a[href="https://files.example/a.pdf"]'],
      ['DataWidget', { type: 'object' }, 'dl'],
      ['BulletList', { type: 'array', items: { type: 'string' } }, 'ul.bullets li'],
      ['UserPickerWidget', { type: 'string' }, '.combobox > input[type=text]'],
      ['checkboxes', colours, '.choices input[type=checkbox]'],
      ['select', { type: 'string', enum: ['a'] }, 'select'],
      ['password', { type: 'string' }, 'input[type=password]'],
      ['email', { type: 'string' }, 'input[type=email]'],
      ['date-time', { type: 'string' }, 'input[type=datetime-local]'],
      ['updown', { type: 'integer' }, 'input[type=number]'],
      ['range', { type: 'integer', minimum: 1, maximum: 9 }, 'input[type=range]'],
      ['uri', { type: 'string' }, 'input[type=url]'],
      ['SomethingNew', { type: 'string', format: 'date' }, 'input[type=date]'],
    ];
    const data: Readonly<Record<string, unknown>> = {
      Table: [{ name: 'Anna', age: 31 }],
      EditableTable: [{ name: 'Anna', age: 31 }],
      FileDownloadWidget: 'https://files.example/a.pdf',
      DataWidget: { berth: 'C 14' },
      BulletList: ['one', 'two'],
    };
    for (const [widget, schema, selector] of widgets) {
      const harness = await showForm(
        { type: 'object', properties: { field: schema } },
        { field: { 'ui:widget': widget } },
        widget in data ? { field: data[widget] } : {},
      );
      expect(deepAll(harness, selector).length, widget).to.be.greaterThan(0);
      expect(deep<FormElement>(harness, 'agent-chat-form').data, widget).to.deep.equal(
        widget in data ? { field: data[widget] } : {},
      );
    }
    expect(await axeFaultsOfPage()).to.deep.equal([]);
    const hidden = await showForm(
      { type: 'object', properties: { field: { type: 'string' } } },
      { field: { 'ui:widget': 'hidden' } },
      { field: 'kept' },
    );
    expect(textOf(hidden)).not.to.contain('Field');
    const range = await showForm(
      { type: 'object', properties: { stay: { type: 'string' } } },
      { stay: { 'ui:widget': 'DateWidget', 'ui:options': { range: true } } },
    );
    fill(range, 'From', '2026-01-30');
    await settled(range);
    fill(range, 'To', '2026-02-02');
    await press(range, 'Submit');
    expect(range.answers[0]?.answer.data).to.deep.equal({ stay: '2026-01-30/2026-02-02' });
  });

  it('adds, moves and removes list entries and object keys', async () => {
    const harness = await showForm({
      type: 'object',
      properties: {
        crew: {
          type: 'array',
          title: 'Crew',
          items: { type: 'object', properties: { name: { type: 'string', title: 'Name' } } },
        },
        tags: { type: 'object', title: 'Tags', additionalProperties: { type: 'string' } },
      },
    });
    await press(harness, 'Add to Crew');
    await press(harness, 'Add to Crew');
    const names = deepAll<HTMLInputElement>(harness, 'input');
    expect(names).to.have.length(2);
    names.forEach((input, index) => {
      input.value = ['Anna', 'Bert'][index]!;
      input.dispatchEvent(new Event('input'));
    });
    await settled(harness);
    await press(harness, 'Move Crew 2 up');
    await press(harness, 'Remove Crew 2');
    await press(harness, 'Add to Tags');
    await press(harness, 'Submit');
    expect(harness.answers[0]?.answer.data).to.deep.equal({ crew: [{ name: 'Bert' }], tags: { Name: '' } });
  });

  it('follows conditions, dependencies, alternatives and references as the data changes', async () => {
    const harness = await showForm({
      type: 'object',
      definitions: {
        node: {
          type: 'object',
          title: 'Node',
          properties: { label: { type: 'string', title: 'Label' }, child: { $ref: '#/definitions/node' } },
        },
      },
      properties: {
        paid: { type: 'string', title: 'Paid by', enum: ['card', 'cash'] },
        contact: {
          title: 'Contact',
          oneOf: [
            {
              title: 'Phone',
              type: 'object',
              required: ['phone'],
              properties: { phone: { type: 'string', title: 'Phone number' } },
            },
            {
              title: 'Post',
              type: 'object',
              required: ['street'],
              properties: { street: { type: 'string', title: 'Street' } },
            },
          ],
        },
        tree: { $ref: '#/definitions/node' },
      },
      if: { properties: { paid: { const: 'card' } }, required: ['paid'] },
      required: ['contact'],
      then: { properties: { number: { type: 'string', title: 'Card number' } }, required: ['number'] },
      dependencies: {
        number: {
          properties: { address: { type: 'string', title: 'Billing address' } },
          required: ['address'],
        },
      },
    });
    expect(textOf(harness)).not.to.contain('Card number');
    fill(harness, 'Paid by', '0');
    await settled(harness);
    fill(harness, 'Card number', '42');
    await settled(harness);
    fill(harness, 'Billing address', 'Quay 1');
    const kind = controlFor(harness, 'Kind of Contact') as HTMLSelectElement; // it is a select
    kind.selectedIndex = 1;
    kind.dispatchEvent(new Event('change'));
    await settled(harness);
    await press(harness, 'Submit');
    expect(textOf(harness)).to.contain('Please fill this in.');
    fill(harness, 'Street', 'Harbour road');
    await press(harness, 'Add to Node');
    await press(harness, 'Submit');
    expect(harness.answers[0]?.answer.data).to.deep.include({
      paid: 'card',
      number: '42',
      address: 'Quay 1',
      contact: { street: 'Harbour road' },
    });
    fill(harness, 'Paid by', '1');
    await settled(harness);
    await press(harness, 'Submit');
    expect(harness.answers[1]?.answer.data).to.deep.include({
      paid: 'cash',
      contact: { street: 'Harbour road' },
    });
    expect(harness.answers[1]?.answer.data).not.to.have.any.keys('number', 'address');
  });

  it('does not reformat a number while it is typed', async () => {
    const harness = await showForm({
      type: 'object',
      properties: { length: { type: 'number', title: 'Length' } },
    });
    for (const [typed, value] of [
      ['1.0', 1],
      ['1.05', 1.05],
      ['', undefined],
    ] as const) {
      fill(harness, 'Length', typed);
      await settled(harness);
      // it is an input
      expect((controlFor(harness, 'Length') as HTMLInputElement).value).to.equal(typed);
      expect(deep<FormElement>(harness, 'agent-chat-form').data).to.deep.equal(
        value === undefined ? {} : { length: value },
      );
    }
  });

  it('keeps the input when the agent sends the same form again', async () => {
    const schema = { type: 'object', properties: { boat: { type: 'string', title: 'Boat' } } };
    const harness = await showForm(schema);
    fill(harness, 'Boat', 'Albatros');
    harness.items = [{ ...harness.items[0]!, source: JSON.parse(JSON.stringify(harness.items[0]!.source)) }];
    await settled(harness);
    expect(deep<FormElement>(harness, 'agent-chat-form').data).to.deep.equal({ boat: 'Albatros' });
  });

  it('runs no code from a schema and stays usable with any content', async () => {
    const text = '<img src=x onerror="window.wasRun = true">';
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    );
    let deepSchema: unknown = { type: 'string' };
    for (let level = 0; level < 60; level += 1)
      deepSchema = { type: 'object', properties: { a: deepSchema } };
    const hostile: readonly unknown[] = [
      {
        title: text,
        description: text,
        type: 'object',
        properties: { [text]: { type: 'string', title: text, enum: [text], default: text } },
      },
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"string","default":"yes"}}},"constructor":{"type":"string"}}}',
      ),
      { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] },
      { $ref: '#' },
      { allOf: [{ $ref: '#' }] },
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/d0' } },
        $defs: { ...doubling, d30: { type: 'string' } },
      },
      {
        type: 'object',
        properties: { a: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(2000)}!` } },
      },
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: isQuick ? 300 : 3000 }, (_, index) => [`k${index}`, { type: 'string' }]),
        ),
      },
      deepSchema,
      {
        type: {},
        properties: [],
        required: 7,
        oneOf: {},
        enum: 'x',
        items: 5,
        $ref: 9,
        title: {},
        description: [],
      },
      { type: 'array', items: { type: 'array', items: { $ref: '#' } }, default: [[[[[[]]]]]] },
    ];
    const faults: unknown[] = [];
    const listen = (event: Event): void => void faults.push(event);
    window.addEventListener('error', listen);
    window.addEventListener('unhandledrejection', listen);
    for (const schema of hostile) {
      const looks = { count: 0 };
      const harness = await showForm(
        counting(schema, looks),
        { 'ui:widget': text, a: { 'ui:widget': 'javascript:alert(1)' } },
        { a: text },
      );
      await press(harness, 'Submit').catch(() => undefined);
      expect(looks.count, JSON.stringify(schema).slice(0, 80)).to.be.lessThan(mostLooks);
      expect(deepAll(harness, 'img, script')).to.have.length(0);
      harness.remove();
    }
    window.removeEventListener('error', listen);
    window.removeEventListener('unhandledrejection', listen);
    expect(faults).to.deep.equal([]);
    expect('wasRun' in window).to.equal(false);
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  }).timeout(60_000);

  it('shows the title of a group larger than the labels of its fields', async () => {
    const harness = await show([
      {
        response_type: 'form',
        json_schema: {
          properties: {
            boat: { type: 'object', title: 'Boat', properties: { name: { type: 'string', title: 'Name' } } },
          },
        },
      },
    ]);
    const size = (selector: string): number =>
      Number.parseFloat(getComputedStyle(deep(harness, selector)).fontSize);
    expect(size('legend')).to.be.greaterThan(size('label'));
    const { bottom } = deep(harness, 'legend').getBoundingClientRect();
    const { top } = deep(harness, 'legend ~ .form-field').getBoundingClientRect();
    expect(top - bottom).to.be.closeTo(12, 1);
  });

  it('outlines the focused field in the highlight colour of forced colours', async () => {
    await emulateMedia({ 'forced-colors': 'active' });
    try {
      const harness = await show([
        { response_type: 'form', json_schema: { properties: { name: { type: 'string' } } } },
      ]);
      const field = deep<HTMLInputElement>(harness, 'input.field');
      field.focus();
      const { outlineColor, outlineWidth } = getComputedStyle(field);
      const probe = document.body.appendChild(document.createElement('p'));
      probe.style.cssText = 'forced-color-adjust: none; color: Highlight';
      expect(outlineColor).to.equal(getComputedStyle(probe).color);
      expect(outlineWidth).to.equal('2px');
      probe.remove();
    } finally {
      await endEmulation();
    }
  });
});

/** Every given value is still there; defaults may have been added. */
function expectKept(given: unknown, kept: unknown, place: string): void {
  if (given === null || given === undefined) return;
  if (Array.isArray(given)) {
    expect(kept, place).to.be.an('array').with.length(given.length);
    // checked to be a list
    given.forEach((entry, index) => expectKept(entry, (kept as unknown[])[index], `${place}/${index}`));
  } else if (typeof given === 'object') {
    for (const [key, value] of Object.entries(given)) {
      expect(kept, place).to.be.an('object');
      // checked to be an object
      expectKept(value, (kept as Record<string, unknown>)[key], `${place}/${key}`);
    }
  } else {
    expect(kept, place).to.equal(given);
  }
}
