import { expect } from '@open-wc/testing';
import { deep, deepAll, settled, show, textOf, button } from './item-fixture.ts';

describe('<agent-chat-button>', () => {
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
