import { css } from 'lit';

/** Styles of the steps of a run. */
export const stepsStyles = css`
  :host {
    display: block;
    font-size: var(--_size-small);
    color: var(--_muted);
    min-width: 0;
  }
  .toggle {
    display: flex;
    align-items: center;
    gap: 8px;
    width: fit-content;
    min-height: max(32px, var(--_target));
    font-size: calc(var(--_size) * 0.9333);
    max-width: calc(100% + 6px);
    margin-inline-start: -6px;
    padding: 2px 6px;
    border: 0;
    border-radius: calc(var(--_radius) * 0.8);
    background: none;
    color: inherit;
    text-align: start;
  }
  .toggle:hover {
    --_ground: var(--_hover); /* of the light that passes over the line */
    background: var(--_hover);
  }
  .toggle svg {
    width: 16px;
    height: 16px;
    flex: none;
    transition: transform var(--_duration) var(--_ease);
  }
  .toggle[aria-expanded='true'] svg {
    transform: rotate(90deg);
  }
  .toggle b {
    font-weight: 550;
    margin-inline-end: -4px;
  }
  .list {
    display: grid;
    gap: 6px;
    margin: 2px 0 8px 4px;
    margin-inline: 4px 0;
    padding: 2px 0;
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--_line);
    list-style: none;
    min-width: 0;
  }
  .head {
    display: flex;
    gap: 8px;
    align-items: baseline;
    min-width: 0;
  }
  .head > span svg {
    width: 13px;
    height: 13px;
    translate: 0 2px;
  }
  .done {
    color: var(--_good);
  }
  .failed {
    color: var(--_bad);
  }
  .dot {
    box-sizing: border-box;
    width: 7px;
    height: 7px;
    margin: 0 3px;
    border: 1.5px solid var(--_line-field);
    border-radius: 50%;
    flex: none;
  }
  .dot.active {
    border: 3px solid var(--_accent-text);
    background: var(--_accent-text);
  }
  .name {
    overflow-wrap: anywhere;
  }
  .list:has(summary) {
    gap: max(0px, 30px - var(--_target));
  }
  /* as high as the rows that can be opened */
  .list:has(summary) .head > .name {
    padding-block: max(0px, (var(--_target) - 1lh) / 2);
  }
  .item {
    min-width: 0;
  }
  .item > details {
    flex: 1;
    min-width: 0;
  }
  h4 {
    margin: 6px 0 2px;
    font-size: var(--_size-tiny);
    font-weight: 600;
  }
  pre {
    margin: 0;
    padding: 8px 10px;
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_code);
    color: var(--_text);
    font: var(--_size-tiny) / 1.5 var(--_font-mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .thinking {
    margin: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`;
