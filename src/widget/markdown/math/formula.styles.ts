import { css } from 'lit';

/** Styles of formulas. Classes inside `math`, such as `tml-prime` and `upstrike`, are Temml's. */
export const formulaStyles = css`
  .formula {
    white-space: pre-wrap;
  }

  /* a grid keeps the baseline although it scrolls */
  .formula.drawn {
    display: inline-grid;
    box-sizing: border-box;
    max-inline-size: 100%;
    overflow: auto hidden;
    overscroll-behavior-inline: contain;
    scrollbar-width: thin;
    vertical-align: baseline;
    white-space: normal;
    direction: ltr;
  }

  .formula.display {
    display: grid;
    align-content: center;
    justify-content: safe center;
    box-sizing: border-box;
    min-block-size: calc(3em + 6px);
    margin-block: 0 4px;
    /* has room for what symbols draw below their line: it would scroll */
    padding-block: 4px 10px;
  }

  .formula.display.drawn {
    max-block-size: 80vh;
    overflow: auto;
  }

  .formula.display.pending {
    justify-content: start;
    overflow: hidden;
    color: var(--_muted);
    white-space: nowrap;
  }

  math {
    font-family:
      'Latin Modern Math', 'STIX Two Math', 'Cambria Math', 'Libertinus Math', 'DejaVu Math TeX Gyre',
      'Noto Sans Math', math;
    font-size: 1.1em;
    line-height: normal;
    letter-spacing: normal;
  }

  .display > math:has(.tml-tageqn) {
    inline-size: 100%;
  }

  .display:has(.tml-tageqn) {
    justify-content: stretch;
  }

  /* the prime of a font is raised already */
  math .tml-prime {
    transform: translateY(0.3em);
  }

  math .rule {
    background: currentColor;
  }

  math .tml-right {
    text-align: right;
    text-align: -webkit-right;
  }

  math .tml-left {
    text-align: left;
    text-align: -webkit-left;
  }

  mtable.tml-jot mtd {
    padding-block: 0.7ex;
  }

  mtable.tml-small mtd {
    padding-block: 0.35ex;
  }

  math .tml-sml-pad {
    padding-inline-start: 0.05em;
  }

  math .tml-med-pad {
    padding-inline-start: 0.1em;
  }

  math .tml-lrg-pad {
    padding-inline-start: 0.15em;
  }

  /* browsers do not draw <menclose> */
  menclose {
    position: relative;
    padding: 0.3ex 0;
  }

  math .tml-overline {
    padding-block-start: 0.1em;
    border-block-start: 0.065em solid;
  }

  math .tml-underline {
    padding-block-end: 0.1em;
    border-block-end: 0.065em solid;
  }

  math :is(.tml-cancel, .tml-xcancel) {
    position: absolute;
    inset: 0;
    background: currentColor;
  }

  math .upstrike {
    clip-path: polygon(0.05em 100%, 0 calc(100% - 0.05em), calc(100% - 0.05em) 0, 100% 0.05em);
  }

  math .downstrike {
    clip-path: polygon(0 0.05em, 0.05em 0, 100% calc(100% - 0.05em), calc(100% - 0.05em) 100%);
  }

  math .sout {
    clip-path: inset(calc(50% - 0.03em) 0);
  }

  math .tml-xcancel {
    clip-path: polygon(
      0.05em 0,
      0 0.05em,
      calc(50% - 0.05em) 50%,
      0 calc(100% - 0.05em),
      0.05em 100%,
      50% calc(50% + 0.05em),
      calc(100% - 0.05em) 100%,
      100% calc(100% - 0.05em),
      calc(50% + 0.05em) 50%,
      100% 0.05em,
      calc(100% - 0.05em) 0,
      50% calc(50% - 0.05em)
    );
  }

  math .tml-fbox {
    padding: 3pt;
    border: 1px solid;
  }
`;
