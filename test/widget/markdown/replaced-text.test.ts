import { fixture, html } from '@open-wc/testing';
import '../../../src/widget/markdown/markdown-element.ts';
import type { MarkdownElement } from '../../../src/widget/markdown/markdown-element.ts';
import { until } from '../chat-fixture.ts';

describe('a text in place of another one', () => {
  it('is drawn with what it needs, also at its beginning', async () => {
    const element = await fixture<MarkdownElement>(
      html`<agent-chat-markdown .text=${'First words. '.repeat(20)}></agent-chat-markdown>`,
    );
    element.text = `The sum \\(\\alpha\\) &hearts; ${'and more words. '.repeat(30)}`;
    await until(() => element.shadowRoot?.textContent.includes('♥'));
    await until(() => element.shadowRoot?.querySelector('math, .formula'));
  });
});
