import { expect, test } from '@playwright/test';
import { markdownToHtml } from '../../../../src/widget/panel/transcript/markdown-to-html.ts';

const cases: Readonly<Record<string, readonly [markdown: string, html: string]>> = {
  headings: ['# One\n\n---', '<h1>One</h1><hr>'],
  'marks in a text': [
    'a **b** *c* ~~d~~ `e<f`\\\ng',
    '<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e&lt;f</code><br>g</p>',
  ],
  'lists, one in the other': [
    '3. a\n   - b\n4. c',
    '<ol start="3"><li>a<ul><li>b</li></ul></li><li>c</li></ol>',
  ],
  tasks: ['- [x] done\n- [ ] open', '<ul><li>☑ done</li><li>☐ open</li></ul>'],
  'a table': [
    '| Day | Tide |\n|---|--:|\n| Mon | **1.8** |',
    '<table><tr><th>Day</th><th>Tide</th></tr><tr><td>Mon</td><td><strong>1.8</strong></td></tr></table>',
  ],
  'a quote with code': [
    '> ```js\n> a & b\n> ```',
    '<blockquote><pre><code>a &amp; b\n</code></pre></blockquote>',
  ],
  links: [
    '[a](https://example.com/?x="1") <mailto:a@example.com>',
    '<p><a href="https://example.com/?x=%221%22">a</a> <a href="mailto:a@example.com">mailto:a@example.com</a></p>',
  ],
  'of an unsafe link, its text': ['[a](javascript:alert(1))', '<p>a</p>'],
  'of an image, its text': ['![a boat](https://example.com/boat.png)', '<p>a boat</p>'],
  'HTML as text': ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
  'a formula as written': ['$$\na<b\n$$', '<p>$$\na&lt;b\n$$</p>'],
};
for (const [name, [markdown, html]] of Object.entries(cases))
  test(`Markdown for the clipboard: ${name}`, () => {
    expect(markdownToHtml(markdown)).toBe(html);
  });
