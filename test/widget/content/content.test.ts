import { expect } from '@open-wc/testing';
import { contentRows, rowOf } from '../../../src/widget/content/registry.ts';
import { ContentElement } from '../../../src/widget/content/content-element.ts';
import type { HostRenderContext } from '../../../src/widget/config/host-renderer.ts';
import type { ItemUploadEvent } from '../../../src/widget/content/item-events.ts';
import { defineElement } from '../../../src/widget/platform/define-element.ts';
import type { DiagnosticEvent } from '../../../src/widget/events/element-events.ts';
import {
  axeFaults,
  contextOf,
  deep,
  deepAll,
  itemOf,
  messageOf,
  settled,
  show,
  textOf,
  type ItemHarness,
} from './item-fixture.ts';

type Source = Readonly<Record<string, unknown>>;

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const card: Source = {
  response_type: 'card',
  body: [{ response_type: 'text', text: 'Berth **C 14**' }],
  footer: [{ response_type: 'button', label: 'Book', button_type: 'post_back' }],
};

/** One item of every type, and its visible text. */
const samples: Readonly<Record<string, readonly [Source, string]>> = {
  option: [{ title: 'Which?', options: [{ label: 'Series 3', value: '3' }] }, 'Which? Series 3'],
  image: [
    { source: 'https://elsewhere.example/a.png', title: 'Plan' },
    'Load image from elsewhere.example Plan',
  ],
  video: [
    { source: 'https://elsewhere.example/a.mp4', title: 'Film' },
    'Load video from elsewhere.example Film',
  ],
  audio: [
    { source: 'https://elsewhere.example/a.mp3', title: 'Song' },
    'Load audio from elsewhere.example Song',
  ],
  iframe: [
    { source: 'https://elsewhere.example/', title: 'Tides' },
    'Tides Content from elsewhere.example is not shown on this page.',
  ],
  date: [{ title: 'When?' }, 'When? Send date'],
  pause: [{ time: 60_000, typing: true }, ''],
  button: [{ label: 'Press', button_type: 'post_back' }, 'Press'],
  card: [card, 'Berth C 14 Book'],
  carousel: [{ title: 'Berths', items: [card, card] }, 'Berths'],
  grid: [
    {
      columns: [{ width: '1' }, { width: '30%' }],
      rows: [
        {
          cells: [
            { items: [{ response_type: 'text', text: 'left' }] },
            { items: [{ response_type: 'text', text: 'right' }] },
          ],
        },
      ],
    },
    'left right',
  ],
  table: [{ title: 'Rates', headers: ['Berth', 'Price'], rows: [{ cells: ['C 14', '86'] }] }, 'Rates'],
  conversational_search: [
    {
      text: 'It is free.',
      citations: [{ title: 'Plan', url: 'https://harbour.example/p', ranges: [{ start: 0, end: 11 }] }],
    },
    'It is free.',
  ],
  inline_error: [{ text: 'No tides today', debug: { code: 7 } }, 'No tides today'],
  connect_to_agent: [{ agent_available: { message: 'Two minutes' } }, 'Talk to a person Two minutes Connect'],
  system: [{ title: 'Anna joined', variant: 'info' }, 'Anna joined'],
  form: [
    { json_schema: { title: 'Booking', properties: { boat: { type: 'string' } } } },
    'Booking Boat Submit',
  ],
  forms: [
    { json_schema: { title: 'Booking', properties: { boat: { type: 'string' } } } },
    'Booking Boat Submit',
  ],
  form_operation: [
    { form_operation: 'submit', form_data: { boatName: 'Albatros' } },
    'Submitted Boat name Albatros',
  ],
  file_upload: [
    { title: 'Papers', uploadSettings: { maxFilesPerUpload: 1 } },
    'Papers Choose a file or drop it here',
  ],
  file_download: [
    { files: [{ fileName: 'Invoice.pdf', url: 'https://harbour.example/i.pdf' }] },
    'Invoice.pdf harbour.example',
  ],
  disconnected_apps: [
    { title: 'Calendar', connection_status: 'connected', connection_message: 'as Anna' },
    'Calendar Connected as Anna',
  ],
  svc_connection_status: [
    { connection_status: 'in_progress', connection_message: 'wait' },
    'Connection Connecting wait',
  ],
  svc_rest: [{ items: [card] }, 'Berth C 14 Book'],
  user_defined: [{ user_defined: { title: 'Tide', text: 'High at two', level: 3 } }, 'Tide'],
};

function button(harness: ItemHarness, name: string): HTMLButtonElement {
  const found = deepAll<HTMLButtonElement>(harness, 'button, a').find(
    (one) => one.getAttribute('aria-label') === name || one.textContent?.replace(/\s+/g, ' ').trim() === name,
  );
  if (!found) throw new Error(`no button ${name} in ${textOf(harness)}`);
  return found;
}

describe('content items', () => {
  it('renders each response type, in both themes, and passes axe', async () => {
    expect(Object.keys(samples).sort()).to.deep.equal(Object.keys(contentRows).sort());
    for (const [type, [fields, words]] of Object.entries(samples)) {
      for (const scheme of ['light', 'dark'] as const) {
        const harness = await show([{ response_type: type, ...fields }], { uploads: true }, scheme);
        expect(deepAll(harness, rowOf(type).tag), type).to.have.length(1);
        expect(deepAll(harness, 'agent-chat-fallback'), type).to.have.length(0);
        expect(textOf(harness), type).to.contain(words);
        expect(await axeFaults(harness), `${type} ${scheme}`).to.deep.equal([]);
        harness.remove();
      }
    }
  }).timeout(60_000);

  it('render nothing before they have an item, and everything after', async () => {
    for (const [type, [fields, words]] of Object.entries(samples)) {
      const { tag, load } = rowOf(type);
      defineElement(tag, await load());
      const element = document.createElement(tag) as ContentElement; // the rows pair tags and classes
      document.body.append(element);
      await element.updateComplete;
      expect(textOf(element), type).to.equal('');
      element.item = itemOf({ response_type: type, ...fields });
      element.context = contextOf({ uploads: true });
      await settled(element);
      expect(textOf(element), type).to.contain(words);
      if (type === 'conversational_search')
        expect(deepAll(element, 'agent-chat-citation-mark')).to.have.length(1);
      element.remove();
    }
  });

  it('shows the texts of an unknown type, and all other data under Details', async () => {
    const harness = await show([
      { response_type: 'hologram', title: 'A boat', text: 'It *floats*', beams: 3 },
    ]);
    expect(textOf(harness)).to.contain('A boat').and.to.contain('It floats').and.to.contain('Details');
    expect(deep(harness, 'details pre').textContent).to.equal('{\n  "beams": 3\n}');
    const form = await show([{ json_schema: { properties: { boat: { type: 'string' } } } }]);
    expect(deepAll(form, 'agent-chat-form')).to.have.length(1);
  });

  it('shows the details of an error only with preview', async () => {
    const failed: Source = { response_type: 'inline_error', text: 'No tides', debug: { code: 7 } };
    const visitor = await show([failed]);
    expect([textOf(visitor), deepAll(visitor, 'details').length]).to.deep.equal(['No tides', 0]);
    const developer = await show([failed], { preview: true });
    expect(deep(developer, 'details pre').textContent).to.contain('"code": 7');
  });

  it('lets an option be chosen once, then shows the choice', async () => {
    const options = [
      { label: 'Series 3', value: '3' },
      { label: 'Series 5', value: { input: { text: 'the fifth' } } },
    ];
    const harness = await show([{ response_type: 'option', id: 'o', title: 'Which?', options }]);
    button(harness, 'Series 5').click();
    const [answer] = harness.answers;
    expect(answer?.answer).to.deep.equal({ action: 'choose', data: 'the fifth' });
    expect(answer?.message).to.deep.equal({
      role: 'user',
      parent_message_id: '5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10',
      content: [{ response_type: 'text', text: 'the fifth' }],
      message_state: { input: { display_text: 'Series 5' } },
    });
    harness.context = { ...harness.context, answer: answer?.answer };
    await settled(harness);
    expect(button(harness, 'Series 5').getAttribute('aria-pressed')).to.equal('true');
    button(harness, 'Series 3').click();
    expect(harness.answers).to.have.length(1);
    const list = await show([{ response_type: 'option', preference: 'dropdown', options }]);
    deep<HTMLSelectElement>(list, 'select').selectedIndex = 1;
    button(list, 'Choose').click();
    expect(list.answers[0]?.answer.data).to.equal('the fifth');
    const past = await show([{ response_type: 'option', options }], { active: false });
    button(past, 'Series 3').click();
    expect(past.answers).to.have.length(0);
  });

  it('marks a skipped question as closed and accepts no answer to it', async () => {
    const options = [{ label: 'Series 3', value: 'the third' }];
    for (const question of [
      { response_type: 'option', title: 'Which?', options },
      { response_type: 'option', title: 'Which?', options, preference: 'dropdown' },
      { response_type: 'date', title: 'When?' },
      { response_type: 'file_upload', title: 'Your papers' },
      { response_type: 'form', title: 'Who?', json_schema: { properties: { name: { type: 'string' } } } },
    ]) {
      const name = `${question.response_type} ${question.title}`;
      const harness = await show([question], { uploads: true });
      expect(textOf(harness), name).not.to.contain('Closed');
      harness.context = { ...harness.context, active: false, closed: true };
      await settled(harness);
      expect(textOf(harness), name).to.contain('Closed: the conversation has moved on.');
      expect(textOf(harness), name).to.contain(question.title);
      const takers = deepAll<HTMLInputElement>(harness, 'button, input, select').filter(
        (one) => !one.disabled && one.getAttribute('aria-disabled') !== 'true',
      );
      expect(takers, name).to.have.length(0);
      expect(await axeFaults(harness), name).to.deep.equal([]);
    }
  });

  it('sends a date in ISO format and shows it in the visitor’s language', async () => {
    const harness = await show([{ response_type: 'date', title: 'When?' }]);
    button(harness, 'Send date').click();
    await settled(harness);
    expect(textOf(harness)).to.contain('Choose a date.');
    const input = deep<HTMLInputElement>(harness, 'input');
    expect(input.matches(':focus')).to.equal(true);
    input.value = '2026-11-30';
    button(harness, 'Send date').click();
    expect(harness.answers[0]?.message?.content).to.deep.equal([
      { response_type: 'text', text: '2026-11-30' },
    ]);
    expect(harness.answers[0]?.message?.message_state).to.deep.equal({
      input: { display_text: 'November 30, 2026' },
    });
  });

  it('gives each of the four buttons its own action', async () => {
    const harness = await show([
      {
        response_type: 'button',
        button_type: 'post_back',
        label: 'Book',
        value: { input: { text: 'book it' } },
      },
      {
        response_type: 'button',
        button_type: 'custom_event',
        label: 'Tour',
        custom_event_name: 'tour',
        value: { step: 1 },
      },
      {
        response_type: 'button',
        button_type: 'show_panel',
        label: 'More',
        panel: { title: 'Details of C 14', body: [{ response_type: 'text', text: 'Depth 3 m' }] },
      },
      { response_type: 'button', button_type: 'url', label: 'Map', url: 'https://maps.example/a' },
    ]);
    button(harness, 'Book').click();
    button(harness, 'Tour').click();
    button(harness, 'More').click();
    await settled(harness);
    expect(harness.answers.map(({ answer }) => answer.data)).to.deep.equal(['book it']);
    expect(harness.actions.map(({ name, detail }) => [name, detail])).to.deep.equal([
      ['tour', { step: 1 }],
      ['show_panel', { title: 'Details of C 14', body: [{ response_type: 'text', text: 'Depth 3 m' }] }],
    ]);
    expect(textOf(harness)).to.contain('Details of C 14 Depth 3 m');
    const link = deep<HTMLAnchorElement>(harness, 'a');
    expect([link.href, link.target, link.rel]).to.deep.equal([
      'https://maps.example/a',
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it('resolves relative links against the page, relative images and files against the service', async () => {
    const policy = { baseUrl: 'https://chat.example/base/', images: [], media: [], frames: [] };
    const harness = await show(
      [
        { response_type: 'text', text: 'See [returns](/returns) and [below](#terms).' },
        { response_type: 'button', button_type: 'url', label: 'Returns', url: '/returns' },
        { response_type: 'disconnected_apps', apps: [{ name: 'Calendar', url: 'connect?app=1' }] },
        {
          response_type: 'conversational_search',
          text: 'It is free.',
          citations: [{ title: 'Plan', url: '/plan', ranges: [{ start: 0, end: 11 }] }],
        },
        { response_type: 'image', source: 'plan.png', alt_text: 'Plan' },
        { response_type: 'file_download', files: [{ fileName: 'Invoice.pdf', url: 'invoice.pdf' }] },
      ],
      { policy },
    );
    deep<HTMLButtonElement>(harness, '.source').click();
    await settled(harness);
    const page = (path: string): string => new URL(path, document.baseURI).href;
    // an image that fails to load becomes a link
    const shown = deepAll<HTMLAnchorElement | HTMLImageElement>(harness, 'a, img');
    expect(shown.map((one) => (one instanceof HTMLImageElement ? one.src : one.href))).to.deep.equal([
      page('/returns'),
      page('#terms'),
      page('/returns'),
      page('connect?app=1'),
      page('/plan'),
      'https://chat.example/base/plan.png',
      'https://chat.example/base/invoice.pdf',
    ]);
  });

  it('loads files from the service and allowed origins, others after a click', async () => {
    const policy = {
      baseUrl: location.origin,
      images: ['data:', 'https://cdn.example'],
      media: ['https://cdn.example/any'],
      frames: ['https://maps.example'],
    };
    const harness = await show(
      [
        { response_type: 'image', source: pixel, alt_text: 'A dot' },
        { response_type: 'image', source: 'https://evil.example/leak?secret' },
        { response_type: 'video', source: 'https://evil.example/v.mp4' },
        { response_type: 'iframe', source: 'https://maps.example/embed', title: 'Map' },
        { response_type: 'iframe', source: 'https://evil.example/' },
      ],
      { policy },
    );
    expect(deepAll<HTMLImageElement>(harness, 'img').map(({ alt }) => alt)).to.deep.equal(['A dot']);
    expect(deepAll(harness, 'video')).to.have.length(0);
    const frames = deepAll<HTMLIFrameElement>(harness, 'iframe');
    expect(frames.map(({ src }) => src)).to.deep.equal(['https://maps.example/embed']);
    expect(frames[0]?.getAttribute('sandbox'))
      .to.contain('allow-scripts')
      .and.not.to.contain('allow-top-navigation');
    button(harness, 'Load video from evil.example').click();
    await settled(harness);
    expect(deepAll(harness, 'video, .notice').length).to.be.greaterThan(0);
  });

  it('sorts numbers by value and text by language', async () => {
    const rows = [
      ['b', '€ 1,054.00'],
      ['a10', '€ 71.00'],
      ['a9', '€ 86.50'],
    ].map((cells) => ({ cells }));
    const harness = await show([{ response_type: 'table', headers: ['Name', 'Price'], rows }]);
    const column = (index: number): readonly (string | undefined)[] =>
      deepAll(harness, 'tbody tr').map((row) => row.children[index]?.textContent?.trim());
    button(harness, 'Price').click();
    await settled(harness);
    expect(column(1)).to.deep.equal(['€ 71.00', '€ 86.50', '€ 1,054.00']);
    expect(deep(harness, 'th[aria-sort]').getAttribute('aria-sort')).to.equal('ascending');
    button(harness, 'Name').click();
    await settled(harness);
    expect(column(0)).to.deep.equal(['a9', 'a10', 'b']);
    button(harness, 'Name').click();
    await settled(harness);
    expect(column(0)).to.deep.equal(['b', 'a10', 'a9']);
  });

  it('reads a table whose rows are keyed by column', async () => {
    const rows = [
      { price: 71, berth: 'a10' },
      { price: 86, berth: 'a9' },
    ];
    const harness = await show([{ response_type: 'table', headers: ['berth', 'price'], rows }]);
    expect(deepAll(harness, 'td').map((cell) => cell.textContent?.trim())).to.deep.equal([
      'a10',
      '71',
      'a9',
      '86',
    ]);
  });

  it('shows nested cards in steps when there are many, few at once', async () => {
    const cards = (width: number, depth: number): unknown[] =>
      Array.from({ length: width }, () =>
        depth > 0
          ? { response_type: 'card', body: cards(width, depth - 1) }
          : { response_type: 'text', text: 'leaf' },
      );
    const small = await show([{ response_type: 'card', body: cards(5, 2) }]);
    await settled(small);
    expect(deepAll(small, 'agent-chat-markdown')).to.have.length(125);
    const flood = await show([{ response_type: 'card', body: cards(30, 2) }]);
    await settled(flood);
    const shown = deepAll(flood, 'agent-chat-item').length + deepAll(flood, 'agent-chat-markdown').length;
    expect(shown).to.be.greaterThan(100).and.lessThan(1100);
    const more = deepAll(flood, 'button').find((one) => one.textContent?.includes('more'));
    more?.click();
    await settled(flood);
    expect(deepAll(flood, 'agent-chat-markdown').length).to.be.greaterThan(0);
    expect(more?.isConnected).to.equal(false);
  });

  it('keeps every entry of long lists, wide tables and grids, choices and files', async () => {
    const items = (count: number, name: string): unknown[] =>
      Array.from({ length: count }, (_, index) => ({
        response_type: 'text',
        text: `${name} ${String(index)}.`,
      }));
    const asked = async (source: Readonly<Record<string, unknown>>): Promise<string> => {
      const harness = await show([source]);
      await settled(harness);
      for (let more; (more = deepAll(harness, 'button').find((one) => /more/.test(one.textContent ?? '')));) {
        more.click();
        await settled(harness);
      }
      return deepAll(harness, 'p, td, .name, [role=option]')
        .map((one) => one.textContent)
        .join(' ');
    };
    expect(await asked({ response_type: 'card', body: items(450, 'line') })).to.contain('line 449.');
    const cells = (count: number, name: string): string[] =>
      Array.from({ length: count }, (_, index) => `${name} ${String(index)}.`);
    const rows = Array.from({ length: 30 }, (_, row) => ({ cells: cells(60, String(row)) }));
    expect(await asked({ response_type: 'table', headers: cells(60, 'head'), rows })).to.contain('29 59.');
    const grid = Array.from({ length: 250 }, (_, row) => ({
      cells: cells(9, String(row)).map((text) => ({ items: [{ response_type: 'text', text }] })),
    }));
    expect(await asked({ response_type: 'grid', rows: grid.slice(0, 150) })).to.contain('149 8.');
    const files = cells(205, 'file').map((name) => ({ fileName: name, url: 'https://files.example/a' }));
    expect(await asked({ response_type: 'file_download', files })).to.contain('file 204.');
    const options = cells(300, 'choice').map((label) => ({ label, value: label }));
    expect(await asked({ response_type: 'option', options })).to.contain('choice 299.');
  });

  it('marks cited passages and opens the source behind a marker', async () => {
    const text = 'It is **free** until Sunday. Take `C 14`.\n\n| Berth |\n|---|\n| C 14 |';
    const harness = await show([
      {
        response_type: 'conversational_search',
        text,
        citations_title: 'Where it stands',
        citations: [
          {
            title: 'Plan',
            text: 'C 14 is free.',
            url: 'https://www.harbour.example/p',
            ranges: [
              { start: 0, end: 28 },
              { start: 40, end: text.length },
            ],
          },
          {
            title: 'Map',
            url: 'javascript:alert(1)',
            search_result_idx: 0,
            ranges: [
              { start: 0, end: 28 },
              { start: 5, end: 9999 },
              { start: -1, end: 'x' },
            ],
          },
        ],
        search_results: [{ body: 'The gate is near.', title: 'Ignored' }],
      },
    ]);
    const marks = deepAll(harness, 'button[part=citation-mark]');
    expect(marks.map((mark) => mark.textContent?.trim())).to.deep.equal(['1', '2', '1']);
    expect(marks[1]?.getAttribute('aria-label')).to.equal('Source 2: Map');
    expect(deepAll(harness, 'td')).to.have.length(1);
    expect(deep(harness, 'strong').textContent).to.equal('free');
    expect(textOf(deep(harness, '.sources-title'))).to.equal('Where it stands');
    expect(deep(harness, '.sources').getAttribute('aria-label')).to.equal('Where it stands');
    marks[1]?.click();
    await settled(harness);
    expect(textOf(deep(harness, '.excerpt'))).to.contain('The gate is near.');
    expect(deepAll(deep(harness, '.excerpt'), 'a')).to.have.length(0);
    button(harness, '1 · Plan harbour.example').click();
    await settled(harness);
    expect(deep<HTMLAnchorElement>(harness, '.excerpt a').href).to.equal('https://www.harbour.example/p');
    expect(await axeFaults(harness)).to.deep.equal([]);
  });

  it('keeps markers and text when an answer with sources grows and completes', async () => {
    const source = (text: string): Source => ({
      response_type: 'conversational_search',
      id: 's',
      text,
      citations: [
        {
          title: 'Plan',
          ranges: [
            { start: 0, end: 5 },
            { start: 6, end: 11 },
          ],
        },
      ],
    });
    const harness = await show([source('One. Two. ')], { streaming: true });
    for (const [text, streaming] of [
      ['One. Two. Three', true],
      ['One. Two. Three.', false],
      ['One, Two, Three.', false],
    ] as const) {
      harness.items = [{ ...harness.items[0]!, source: source(text) }];
      harness.context = { ...harness.context, streaming };
      await settled(harness);
      const answer = deep(deep(harness, 'agent-chat-markdown').shadowRoot!.firstElementChild!, 'p');
      expect(answer.textContent, text).to.equal(text.trim());
      expect(answer.querySelectorAll('agent-chat-citation-mark').length, text).to.equal(streaming ? 0 : 2);
    }
  });

  it('delays what follows a pause, for its duration', async () => {
    const harness = await show([
      { response_type: 'pause', time: 400, typing: true },
      { response_type: 'system', title: 'after the pause' },
    ]);
    const [, second] = deepAll(harness, 'agent-chat-item');
    expect(getComputedStyle(second!).display).to.equal('none');
    await waitFor(() => getComputedStyle(second!).display !== 'none');
    const old = await show(
      [
        { response_type: 'pause', time: 400 },
        { response_type: 'system', title: 'x' },
      ],
      { message: messageOf({ createdAt: 0 }) },
    );
    expect(getComputedStyle(deepAll(old, 'agent-chat-item')[1]!).display).not.to.equal('none');
  });

  it('does not delay for a pause from history or from an earlier page', async () => {
    const sources = [
      { response_type: 'pause', time: 9000 },
      { response_type: 'system', title: 'after the pause' },
    ];
    const createdAt = Date.now();
    for (const message of [
      messageOf({ createdAt, id: 'stored', messageId: 'stored' }),
      messageOf({ createdAt: performance.timeOrigin - 1 }),
    ]) {
      const harness = await show(sources, { message });
      expect(getComputedStyle(deepAll(harness, 'agent-chat-item')[1]!).display).not.to.equal('none');
    }
  });

  it('shows the description of a date beside its title', async () => {
    const harness = await show([{ response_type: 'date', title: 'When?', description: 'Weekdays only.' }]);
    expect(textOf(harness)).to.contain('When? Weekdays only.');
    const input = deep<HTMLInputElement>(harness, 'input');
    expect(input.getAttribute('aria-describedby')).to.equal('help');
    button(harness, 'Send date').click();
    await settled(harness);
    expect(input.getAttribute('aria-describedby')).to.equal('fault help');
    expect(await axeFaults(harness)).to.deep.equal([]);
    const answer = { action: 'choose', data: '2026-11-30' } as const;
    harness.context = { ...harness.context, answer };
    await settled(harness);
    expect(textOf(harness)).to.contain('Weekdays only.').and.to.contain('November 30, 2026');
  });

  it('uploads files within the limits and sends their ids', async () => {
    const harness = await show(
      [
        {
          response_type: 'file_upload',
          uploadSettings: {
            allowedFileMimeTypes: ['text/plain'],
            maxSingleFileSizeMB: 0.001,
            maxFilesPerUpload: 2,
          },
        },
      ],
      { uploads: true },
    );
    const events: ItemUploadEvent[] = [];
    let refuse = true;
    harness.addEventListener('agent-chat-item-upload', (event) => {
      events.push(event);
      event.respondWith(
        refuse ? Promise.reject(new Error('offline')) : Promise.resolve(`id-${event.file.name}`),
      );
    });
    const input = deep<HTMLInputElement>(harness, 'input[type=file]');
    const pick = async (...files: readonly File[]): Promise<void> => {
      const transfer = new DataTransfer();
      for (const file of files) transfer.items.add(file);
      input.files = transfer.files;
      input.dispatchEvent(new Event('change'));
      await settled(harness);
    };
    await pick(new File(['long '.repeat(400)], 'long.txt', { type: 'text/plain' }));
    expect(textOf(harness)).to.contain('long.txt is larger than 0.001 MB.');
    await pick(new File(['x'], 'a.exe', { type: 'application/x-msdownload' }));
    expect(textOf(harness)).to.contain('a.exe is not of an allowed type.');
    await pick(new File(['x'], 'a.txt', { type: 'text/plain' }));
    expect(textOf(harness)).to.contain('a.txt could not be uploaded.');
    refuse = false;
    button(harness, 'Try a.txt again').click();
    await settled(harness);
    await pick(
      new File(['y'], 'b.txt', { type: 'text/plain' }),
      new File(['z'], 'c.txt', { type: 'text/plain' }),
    );
    expect(textOf(harness)).to.contain('Only 2 files are allowed.');
    button(harness, 'Send 2 files').click();
    expect(harness.answers[0]?.message?.document_ids).to.deep.equal(['id-a.txt', 'id-b.txt']);
    expect(events).to.have.length(3);
  });

  it('says that nobody is available unless the page handles the handover', async () => {
    const source = {
      response_type: 'connect_to_agent',
      message_to_human_agent: 'She has a boat',
      agent_available: { message: 'Now' },
      agent_unavailable: { message: 'Office hours only' },
    };
    const untaken = await show([source]);
    button(untaken, 'Connect').click();
    await settled(untaken);
    expect(textOf(untaken)).to.contain('Office hours only');
    const taken = await show([source]);
    taken.addEventListener('agent-chat-item-action', (event) => event.preventDefault());
    button(taken, 'Connect').click();
    await settled(taken);
    expect(taken.actions[0]?.name).to.equal('connect_to_agent');
    expect(textOf(taken)).to.contain('You are being connected.');
  });

  it('renders a page’s own content in the page’s DOM and removes it again', async () => {
    let given: HostRenderContext | undefined;
    let cleaned = 0;
    const renderer = (item: Source, container: HTMLElement, context: HostRenderContext): unknown => {
      given = context;
      container.textContent = `host: ${String(item['level'])}`;
      return () => (cleaned += 1);
    };
    const harness = await show([{ response_type: 'gauge', id: 'g', level: 3 }], {
      hostRenderers: new Map([['gauge', renderer]]),
    });
    const place = harness.querySelector('div[slot="item-message-1-g"]');
    expect(place?.textContent).to.equal('host: 3');
    expect(deep<HTMLSlotElement>(harness, 'agent-chat-host-rendered').isConnected).to.equal(true);
    expect(place && place.getBoundingClientRect().height).to.be.greaterThan(0);
    given?.respond('fine');
    expect(harness.answers[0]?.message?.content).to.deep.equal([{ response_type: 'text', text: 'fine' }]);
    harness.items = [];
    await settled(harness);
    await waitFor(() => harness.querySelector('div') === null);
    expect(cleaned).to.equal(1);
  });

  it('renders an item itself if the page’s renderer throws, and reports it once', async () => {
    const faults: unknown[] = [];
    const { onerror } = window;
    window.onerror = (_text, _file, _line, _column, error) => (faults.push(error), true);
    let calls = 0;
    const renderer = (): never => {
      calls += 1;
      throw new TypeError('no gauge here');
    };
    const codes: string[] = [];
    const listen = (event: DiagnosticEvent): void => {
      event.preventDefault();
      codes.push(event.code);
    };
    document.addEventListener('agent-chat-diagnostic', listen);
    const harness = await show(
      [
        { response_type: 'gauge', title: 'Water level', text: '3 metres' },
        { response_type: 'option', options: [{ label: 'Series 3', value: '3' }] },
      ],
      { hostRenderers: new Map(['gauge', 'option'].map((type) => [type, renderer])) },
    );
    expect(textOf(harness)).to.contain('Water level').and.to.contain('3 metres');
    expect(harness.querySelector('div[slot]')).to.equal(null);
    button(harness, 'Series 3').click();
    expect(harness.answers).to.have.length(1);
    harness.context = { ...harness.context, active: false };
    await settled(harness);
    expect(calls).to.equal(2);
    expect(codes).to.deep.equal(['renderer-failed', 'renderer-failed']);
    expect(faults).to.have.length(2);
    harness.context = { ...harness.context, hostRenderers: new Map([['gauge', () => 'host: 3']]) };
    await settled(harness);
    expect(harness.querySelector('div[slot]')?.textContent).to.equal('host: 3');
    document.removeEventListener('agent-chat-diagnostic', listen);
    window.onerror = onerror;
  });

  it('reaches the page through any number of shadow roots, also after a move', async () => {
    const renderer = (_item: Source, container: HTMLElement): void =>
      void (container.innerHTML = '<b>host</b>');
    const harness = await show([], { hostRenderers: new Map([['gauge', renderer]]) });
    const outer = document.createElement('div');
    const inner = document.createElement('div');
    outer.attachShadow({ mode: 'open' }).append(inner);
    document.body.append(outer);
    inner.attachShadow({ mode: 'open' }).append(harness);
    harness.items = [itemOf({ response_type: 'gauge', id: 'g' })];
    await settled(harness);
    const place = outer.querySelector<HTMLElement>('div[slot]');
    expect(place?.querySelector('b')?.getBoundingClientRect().width).to.be.greaterThan(0);
    const elsewhere = document.createElement('section');
    document.body.append(elsewhere);
    elsewhere.append(outer);
    await settled(harness);
    expect(outer.querySelector('b')?.getBoundingClientRect().width).to.be.greaterThan(0);
    expect(outer.querySelectorAll('div[slot]')).to.have.length(1);
    elsewhere.remove();
  });

  it('renders or rejects hostile items without side effects', async () => {
    const long = 'W'.repeat(1_000_000);
    const script = 'javascript:window.wasRun=true';
    const markup = '<img src=x onerror="window.wasRun=true">';
    const faults: unknown[] = [];
    const listen = (event: Event): void =>
      void faults.push('reason' in event ? event.reason : 'message' in event ? event.message : event);
    window.addEventListener('error', listen);
    window.addEventListener('unhandledrejection', listen);
    const values: readonly unknown[] = [
      null,
      script,
      markup,
      7,
      true,
      {},
      [],
      [null, 3, 'x', [], {}],
      { input: null },
    ];
    for (const [type, [fields]] of Object.entries(samples)) {
      const keys = [
        ...Object.keys(fields),
        'title',
        'text',
        'url',
        'source',
        'target',
        'label',
        'value',
        'form_data',
        'ui_schema',
        'citations',
        'time',
      ];
      for (const value of values) {
        const source = {
          ...Object.fromEntries(keys.map((key) => [key, value])),
          response_type: type,
          button_type: 'url',
        };
        const harness = await show([source, { response_type: 'system', title: 'next' }], { uploads: true });
        expect(textOf(harness), `${type} ${JSON.stringify(value)}`).to.contain('next');
        for (const link of deepAll<HTMLAnchorElement>(harness, 'a[href]'))
          expect(link.protocol).not.to.equal('javascript:');
        expect(deepAll(harness, 'img[onerror], script, [src^="javascript:"]'), type).to.have.length(0);
        harness.remove();
      }
      const source = { ...Object.fromEntries(keys.map((key) => [key, long])), response_type: type };
      const harness = await show([source]);
      if (type !== 'conversational_search' && type !== 'user_defined')
        expect(textOf(harness).length, type).to.be.lessThan(60_000);
      harness.remove();
    }
    window.removeEventListener('error', listen);
    window.removeEventListener('unhandledrejection', listen);
    expect(faults).to.deep.equal([]);
    expect('wasRun' in window).to.equal(false);
  }).timeout(120_000);

  it('reports an item that could not be rendered and shows a notice in its place', async () => {
    class OddElement extends ContentElement {
      protected override renderContent(): unknown {
        throw new TypeError('tide is not a number');
      }
    }
    customElements.define('odd-item', OddElement);
    const element = new OddElement();
    element.item = itemOf({ response_type: 'odd', id: 'odd' });
    element.context = contextOf();
    const told: DiagnosticEvent[] = [];
    element.addEventListener('agent-chat-diagnostic', (event) => {
      event.preventDefault();
      told.push(event);
    });
    document.body.append(element);
    await element.updateComplete;
    expect(textOf(element)).to.equal('This part could not be shown.');
    expect(told.map(({ code }) => code)).to.deep.equal(['item-failed']);
    expect(told[0]!.message).to.contain('"odd"').and.to.contain('tide is not a number');
    element.remove();
  });

  it('shows the real target of a button, and the real name of a file', async () => {
    const url = 'https://evil.example/a';
    const harness = await show([
      { response_type: 'button', button_type: 'url', label: 'Sign in at bank.example', url },
      { response_type: 'file_download', files: [{ fileName: 'photo\u202egnp.exe', url }] },
    ]);
    const shown = deepAll(harness, 'a bdi').map(({ textContent }) => textContent);
    expect(shown).to.deep.equal(['Sign in at bank.example', ' (evil.example)', 'photognp.exe']);
    expect(deepAll<HTMLAnchorElement>(harness, 'a[download]')[0]?.download).to.equal('photognp.exe');
    harness.remove();
  });
});

async function waitFor(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${String(condition)}`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
