import { css } from 'lit';

/** Styles of Markdown: dense enough to read, with one rhythm for all blocks. */
export const markdownStyles = css`
  :host {
    display: block;
    min-inline-size: 0;
    overflow-wrap: break-word;
  }

  :host([hidden]) {
    display: none;
  }

  /* An image whose code is not loaded: as high as the button that then loads it. */
  .image {
    display: inline-block;
    min-block-size: 4.2em;
  }

  /* The veil over new words reaches beyond the line. */
  .body {
    overflow: clip;
    overflow-clip-margin: 8px;
  }

  /* Lists the blocks by name: a rule for last children would restyle the block before with every appended word. */
  :where(.body, .section, li, blockquote) > :where(p, div, ul, ol, blockquote, hr, h1, h2, h3, h4, h5, h6) {
    margin-block: 0 10px;
  }

  :where(.body, .section:last-child, li, blockquote)
    > :where(p, div, ul, ol, blockquote, hr, h1, h2, h3, h4, h5, h6):last-child {
    margin-block-end: 0;
  }

  :is(h1, h2, h3, h4, h5, h6) {
    font-size: 1.07em;
    font-weight: 650;
    line-height: 1.35;
    letter-spacing: -0.005em;
  }

  h1 {
    font-size: 1.33em;
  }

  h2 {
    font-size: 1.2em;
  }

  * + :is(h1, h2, h3, h4, h5, h6) {
    padding-block-start: 6px;
  }

  strong {
    font-weight: 650;
  }

  /* paragraphs may differ in direction; items and cells stay on the side of the list or table, where the markers
     are */
  :is(li, blockquote) > p,
  li,
  th,
  td {
    unicode-bidi: plaintext;
  }

  li,
  th,
  td {
    text-align: left;
  }

  :is(li, th, td):dir(rtl) {
    text-align: right;
  }

  ul,
  ol {
    padding-inline-start: 1.5em;
  }

  ol {
    padding-inline-start: 1.8em;
  }

  li {
    margin-block: 3px;
    padding-inline-start: 2px;
  }

  .more,
  .more > :is(ul, ol) {
    display: block;
    margin: 0;
    padding: 0;
  }

  .more > ul {
    list-style: inherit;
  }

  .section {
    display: flow-root;
    margin: 0;
  }

  /* a stacking context each, so that a change in one does not repaint the others */
  .section,
  .more,
  .lines {
    isolation: isolate;
  }

  /* the last mark of an answer that was stopped */
  li + li:empty:last-child {
    display: none;
  }

  li::marker {
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }

  li > :is(ul, ol) {
    margin-block: 3px;
  }

  li > :is(.code, .table, blockquote) {
    margin-block: 6px;
  }

  .task {
    position: relative;
    list-style: none;
  }

  /* positioned outside the line, whose direction may differ */
  li > input {
    position: absolute;
    inset-block-start: 0.35em;
    inset-inline-start: -1.3em;
    inline-size: 1em;
    block-size: 1em;
    margin: 0;
    /* browsers grey out disabled checkboxes, but these carry information; outlines are also printed */
    appearance: none;
    border: 1px solid var(--_line-field);
    border-radius: 3px;
  }

  li > :checked::before {
    content: '';
    position: absolute;
    inset: 5% 33% 25%;
    border: solid var(--_accent-text);
    border-width: 0 2px 2px 0;
    rotate: 45deg;
  }

  blockquote {
    margin-inline: 0;
    padding-inline-start: 14px;
    border-inline-start: 3px solid var(--_line);
    color: var(--_muted);
  }

  hr {
    border: 0;
    border-block-start: 1px solid var(--_line);
  }

  a {
    color: var(--_accent-text);
    text-decoration-thickness: 1px;
    text-underline-offset: 2px;
  }

  .real-address {
    unicode-bidi: isolate;
    direction: ltr;
    color: var(--_muted);
    font-size: 0.87em;
  }

  .raw {
    white-space: pre-wrap;
  }

  code {
    font: 0.87em/1.5 var(--_font-mono);
  }

  :not(pre) > code {
    padding-inline: 4px;
    border: 1px solid var(--_line);
    border-radius: 5px;
    background: var(--_code);
  }

  .code {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_code);
    overflow: clip;
  }

  .code-head {
    box-sizing: border-box;
    min-block-size: 29px;
  }

  pre {
    direction: ltr;
    margin: 0;
    padding: 10px 12px;
    overflow: auto;
    overscroll-behavior-inline: contain;
    tab-size: 4;
  }

  .lines,
  pre > code {
    display: block;
  }

  .table {
    overflow-x: auto;
    overscroll-behavior-inline: contain;
  }

  /* What scrolls sideways fades at the edge that hides more of it. Without a scroll timeline the animation has no
     duration, and no effect. A mask would cut the focus ring, too. */
  :is(.table, pre, .formula):not(:focus-visible) {
    animation: edges;
    animation-timeline: scroll(self inline);
  }

  .table:dir(rtl) {
    animation-direction: reverse;
  }

  @keyframes edges {
    from {
      mask-image: linear-gradient(to left, transparent, #000 24px);
    }
    to {
      mask-image: linear-gradient(to right, transparent, #000 24px);
    }
  }

  table {
    min-inline-size: 100%;
    /* collapsed borders would be recomputed for all rows with each new row */
    border-spacing: 0;
    font-size: 0.93em;
  }

  th,
  td {
    border-block-end: 1px solid var(--_line);
    padding-block: 6px;
    /* three columns of a few words fit 280 pixels */
    padding-inline: 0 clamp(8px, 10cqi - 20px, 14px);
    vertical-align: top;
    font-variant-numeric: tabular-nums;
    overflow-wrap: normal;
  }

  :is(th, td):last-child {
    padding-inline-end: 0;
  }

  /* the notes of a table that scrolls sideways: not one word a line */
  td:last-child:nth-child(n + 6) {
    min-inline-size: 10em;
  }

  th {
    box-sizing: border-box;
    color: var(--_muted);
    font-size: 0.9em;
    font-weight: 600;
    white-space: nowrap;
  }

  :is(th, td)[align='right'] {
    /* with many columns on a phone each is as narrow as its words, but a price stays on one line */
    min-inline-size: 5.5em;
    padding-inline-start: clamp(0px, 10cqi - 28px, 16px);
    text-align: right;
  }

  :is(th, td)[align='center'] {
    text-align: center;
  }

  /* a sidebar: long words would leave gaps */
  @container (max-width: 330px) {
    p,
    li {
      hyphens: auto;
      hyphenate-limit-chars: 9 4 4;
    }
  }

  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }

  pre:focus-visible {
    outline-offset: -2px;
  }

  /* Safari would cut a ring around the words */
  @supports not (overflow-clip-margin: 8px) {
    .table:focus-visible {
      outline-offset: -2px;
    }
  }
`;
