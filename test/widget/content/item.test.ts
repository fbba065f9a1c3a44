import { expect } from '@open-wc/testing';
import { ContentElement } from '../../../src/widget/content/content-element.ts';
import type { DiagnosticEvent } from '../../../src/widget/events/element-events.ts';
import { axeFaults, contextOf, deep, deepAll, itemOf, settled, show, textOf } from './item-fixture.ts';
import { samples, type Source } from './samples.ts';

describe('<agent-chat-item>', () => {
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
    const long = 'W'.repeat(200_000);
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
      const sourceOf = (value: unknown): Source => ({
        ...Object.fromEntries(keys.map((key) => [key, value])),
        id: JSON.stringify(value),
        response_type: type,
        button_type: 'url',
      });
      const harness = await show(
        values.flatMap((value) => [
          sourceOf(value),
          { response_type: 'system', title: `after ${JSON.stringify(value)}` },
        ]),
        { uploads: true },
      );
      for (const value of values) expect(textOf(harness), type).to.contain(`after ${JSON.stringify(value)}`);
      for (const link of deepAll<HTMLAnchorElement>(harness, 'a[href]'))
        expect(link.protocol).not.to.equal('javascript:');
      expect(deepAll(harness, 'img[onerror], script, [src^="javascript:"]'), type).to.have.length(0);
      harness.remove();
      const longItem = await show([sourceOf(long)]);
      if (type !== 'conversational_search' && type !== 'user_defined')
        expect(textOf(longItem).length, type).to.be.lessThan(60_000);
      longItem.remove();
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
});
