import { html, nothing } from 'lit';
import { icon, nextIcon } from '../../theme/icons.ts';
import type { DecisionView } from '../../../conversation/tool-decision.ts';
import { iconOf, isUnderWay, toneOf } from './decision-look.ts';

/** A card whose question is over. */
export interface SettledCard {
  readonly look: DecisionView['state'];
  readonly title: string;
  /** The outcome, in words. */
  readonly outcome: string;
  /** When it was decided; `nothing` if that is not known. */
  readonly time: unknown;
  /** What the visitor should know in addition; `''`: nothing. */
  readonly help: string;
  /** System and arguments, folded away; `nothing`: there is nothing to unfold. */
  readonly details: unknown;
}

/** Renders two quiet lines: title and outcome. The details are one click away. */
export function renderSettled(card: SettledCard): unknown {
  const { look, details } = card;
  return html`<div
    class="card settled ${toneOf(look)}"
    part="item-frame"
    role="group"
    aria-labelledby="title state"
  >
    ${
      details === nothing
        ? html`<div class="line" tabindex="-1">${renderLine(card)}</div>`
        : html`<details>
            <summary class="line">${renderLine(card)}${icon(nextIcon, 'directional')}</summary>
            <div class="body">${details}</div>
          </details>`
    }
  </div>`;
}

function renderLine({ look, title, outcome, time, help }: SettledCard): unknown {
  return html`${isUnderWay(look) ? html`<i class="dot"></i>` : icon(iconOf(look))}
    <span class="words">
      <span class="title" id="title" part="item-title" dir="auto">${title}</span>
      <span class="state" part="item-badge"><span id="state" dir="auto">${outcome}</span>${time}</span>
      ${help ? html`<span class="help" dir="auto">${help}</span>` : nothing}
    </span>`;
}

/** Focuses the line that says where a card stands. */
export function focusLine(card: ParentNode): void {
  card.querySelector<HTMLElement>('.strip, .line')?.focus({ preventScroll: true });
}
