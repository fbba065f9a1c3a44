import { expect } from '@open-wc/testing';
import { deep, deepAll, show, textOf } from './item-fixture.ts';

describe('an item of an unknown type', () => {
  it('shows the texts of an unknown type, and all other data under Details', async () => {
    const harness = await show([
      { response_type: 'hologram', title: 'A boat', text: 'It *floats*', beams: 3 },
    ]);
    expect(textOf(harness)).to.contain('A boat').and.to.contain('It floats').and.to.contain('Details');
    expect(deep(harness, 'details pre').textContent).to.equal('{\n  "beams": 3\n}');
    const form = await show([{ json_schema: { properties: { boat: { type: 'string' } } } }]);
    expect(deepAll(form, 'agent-chat-form')).to.have.length(1);
  });
});
