import { expect, fixtureCleanup } from '@open-wc/testing';
import { contentRows, rowOf } from '../../../src/widget/content/registry.ts';
import type { ContentElement } from '../../../src/widget/content/content-element.ts';
import { defineElement } from '../../../src/widget/platform/define-element.ts';
import { axeFaultsOfPage, contextOf, deepAll, itemOf, settled, show, textOf } from './item-fixture.ts';
import { samples } from './samples.ts';

/** Defines the element of a response type, which others may contain. */
async function loadRow(type: string): Promise<void> {
  const { tag, load } = rowOf(type);
  defineElement(tag, await load());
}

describe('content items', () => {
  it('renders each response type, in both themes, and passes axe', async () => {
    const missing = 'add an item of the new type to samples.ts';
    expect(Object.keys(samples).sort(), missing).to.deep.equal(Object.keys(contentRows).sort());
    for (const scheme of ['light', 'dark'] as const) {
      for (const [type, [fields, words]] of Object.entries(samples)) {
        const harness = await show([{ response_type: type, ...fields }], { uploads: true }, scheme);
        expect(deepAll(harness, rowOf(type).tag), type).to.have.length(1);
        const isOwn = type === 'user_defined'; // shown as what has no renderer
        expect(deepAll(harness, 'agent-chat-fallback'), type).to.have.length(isOwn ? 1 : 0);
        expect(textOf(harness), type).to.contain(words);
      }
      expect(await axeFaultsOfPage(), scheme).to.deep.equal([]);
      fixtureCleanup();
    }
  }).timeout(60_000);

  it('render nothing before they have an item, and everything after', async () => {
    await Promise.all(Object.keys(samples).map(loadRow));
    for (const [type, [fields, words]] of Object.entries(samples)) {
      const { tag } = rowOf(type);
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
});
