import { expect } from '@open-wc/testing';
import type { HostRenderContext } from '../../../src/widget/config/host-options.ts';
import type { DiagnosticEvent } from '../../../src/widget/events/element-events.ts';
import { deep, settled, show, textOf, button, waitFor } from './item-fixture.ts';
import type { Source } from './samples.ts';

describe('<agent-chat-host-rendered>', () => {
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
});
