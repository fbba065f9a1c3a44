import { expect } from '@open-wc/testing';
import { deep, deepAll, show, textOf } from './item-fixture.ts';
import type { Source } from './samples.ts';

describe('<agent-chat-inline-error>', () => {
  it('shows the details of an error only with preview', async () => {
    const failed: Source = { response_type: 'inline_error', text: 'No tides', debug: { code: 7 } };
    const visitor = await show([failed]);
    expect([textOf(visitor), deepAll(visitor, 'details').length]).to.deep.equal(['No tides', 0]);
    const developer = await show([failed], { preview: true });
    expect(deep(developer, 'details pre').textContent).to.contain('"code": 7');
  });
});
