import { hexOf } from './colour.ts';
import type { Field } from './field.ts';

/**
 * What makes a look beside the colours. Every field but the logo is written as CSS, by `lookCss`; the logo is
 * `header.avatar` in the element's JSON. None is an attribute: the names are those in the page's URL.
 */
export const lookFields: readonly Field[] = [
  {
    attribute: 'font',
    label: 'Typeface',
    control: 'select',
    options: ['system', 'page', 'neutral', 'humanist', 'geometric', 'rounded', 'serif', 'mono'],
    optionLabels: { page: 'that of your page' },
    initial: 'system',
    css: '--agent-chat-font',
    half: true,
  },
  {
    attribute: 'header-style',
    label: 'Header',
    control: 'select',
    options: ['standard', 'tall', 'line', 'quiet'],
    optionLabels: { line: 'accent line', quiet: 'small capitals' },
    initial: 'standard',
    css: '::part(header)',
    half: true,
  },
  {
    attribute: 'corners',
    label: 'Corners',
    control: 'choice',
    options: ['sharp', 'crisp', 'soft', 'round'],
    initial: 'soft',
    css: '--agent-chat-radius',
  },
  {
    attribute: 'density',
    label: 'Density',
    control: 'choice',
    options: ['compact', 'regular', 'airy'],
    initial: 'regular',
    css: '--agent-chat-space',
  },
  {
    attribute: 'logo',
    api: 'header.avatar',
    label: 'Logo',
    control: 'text',
    initial: '',
    help: 'Address of a picture; empty: the first letter of the name.',
  },
];

type Rules = Readonly<Record<string, Readonly<Record<string, string>>>>;
const host = 'agent-chat';
/** Stands in a rule for the accent colour in force. */
const accentPlace = 'ACCENT';

const fonts: Readonly<Record<string, string>> = {
  page: 'inherit, sans-serif',
  neutral: "Inter, Roboto, 'Helvetica Neue', 'Arial Nova', 'Nimbus Sans', Arial, sans-serif",
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'Open Sans', 'DejaVu Sans', sans-serif",
  geometric: "Avenir, Montserrat, Corbel, 'URW Gothic', sans-serif",
  rounded:
    "ui-rounded, 'SF Pro Rounded', Quicksand, Nunito, 'Arial Rounded MT Bold', 'DejaVu Sans', sans-serif",
  serif: "'Iowan Old Style', 'Palatino Linotype', Palatino, P052, Georgia, serif",
  mono: "ui-monospace, 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
};

const corners = (panel: number, message: number, control: number, other: number) => ({
  '--agent-chat-radius-panel': `${panel}px`,
  '--agent-chat-radius-message': `${message}px`,
  '--agent-chat-radius-control': `${control}px`,
  '--agent-chat-radius': `${other}px`,
});

/** The rules of each value that differs from the widget's own look. */
const rules: Readonly<Record<string, Readonly<Record<string, Rules>>>> = {
  font: Object.fromEntries(
    Object.entries(fonts).map(([name, font]) => [name, { [host]: { '--agent-chat-font': font } }]),
  ),
  corners: {
    sharp: { [host]: corners(0, 2, 0, 0) },
    crisp: { [host]: corners(8, 8, 8, 6) },
    round: { [host]: corners(28, 22, 26, 16) },
  },
  density: {
    compact: {
      [host]: {
        '--agent-chat-space': '3px',
        '--agent-chat-size': '14px',
        '--agent-chat-line-height': '1.45',
      },
    },
    airy: {
      [host]: {
        '--agent-chat-space': '5px',
        '--agent-chat-size': '16px',
        '--agent-chat-line-height': '1.65',
      },
    },
  },
  'header-style': {
    tall: {
      [host]: { '--agent-chat-header-height': '76px' },
      [`${host}::part(header-name)`]: { 'font-size': '1.2em', 'letter-spacing': '-0.01em' },
    },
    line: {
      [`${host}::part(header)`]: { 'border-block-start': `4px solid ${accentPlace}` },
    },
    quiet: {
      [`${host}::part(header-name)`]: {
        'font-size': '0.85em',
        'letter-spacing': '0.12em',
        'text-transform': 'uppercase',
      },
    },
  },
};

/** The CSS of the chosen look, for the page's style sheet; empty for the widget's own look. */
export function lookCss(value: (name: string) => string): string {
  const merged: Record<string, Record<string, string>> = {};
  for (const { attribute } of lookFields) {
    for (const [selector, declarations] of Object.entries(rules[attribute]?.[value(attribute)] ?? {})) {
      merged[selector] = { ...merged[selector], ...declarations };
    }
  }
  return Object.entries(merged)
    .map(([selector, declarations]) => {
      const lines = Object.entries(declarations).map(
        ([name, text]) => `  ${name}: ${text.replace(accentPlace, () => hexOf(value('accent-color')))};\n`,
      );
      return `${selector} {\n${lines.join('')}}`;
    })
    .join('\n');
}
