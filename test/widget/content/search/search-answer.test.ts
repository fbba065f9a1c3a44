import { expect } from '@open-wc/testing';
import { axeFaults, deep, deepAll, settled, show, textOf, button } from '../item-fixture.ts';
import type { Source } from '../samples.ts';

describe('<agent-chat-search-answer>', () => {
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
    expect(deep<HTMLAnchorElement>(harness, '.excerpt a').href).to.equal(
      'https://www.harbour.example/p#:~:text=C%2014%20is%20free.',
    );
    const described = deepAll(harness, '.source').map((source) => source.getAttribute('aria-describedby'));
    expect(described).to.deep.equal(['words-1', 'words-2']);
    expect(textOf(deep(harness, '#words-1'))).to.equal('C 14 is free.');
    expect(await axeFaults(harness)).to.deep.equal([]);
  });

  it('shows the icon of a site only from an allowed origin', async () => {
    const policy = { baseUrl: location.origin, images: ['https://harbour.example'], media: [], frames: [] };
    const citations = ['https://harbour.example/p', 'https://tracker.example/p'].map((url) => ({
      title: 'Plan',
      url,
    }));
    const harness = await show([{ response_type: 'conversational_search', text: 'Free.', citations }], {
      policy,
    });
    expect(deepAll<HTMLImageElement>(harness, 'img').map(({ src }) => src)).to.deep.equal([
      'https://harbour.example/favicon.ico',
    ]);
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
});
