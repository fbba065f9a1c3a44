/**
 * All design tokens: those a page may set, and those components read.
 *
 * A page sets the public `--agent-chat-*` tokens on `<agent-chat>` or above it. Components read only the private
 * `--_*` names: measures come from `tokens.styles.ts`, colours from `deriveTheme`. This file is for documents,
 * tests and the playground, and not part of any bundle.
 */
export interface PublicToken {
  /** The full name of the custom property. */
  readonly name: `--agent-chat-${string}`;
  /** The default value. */
  readonly initial: string;
  readonly purpose: string;
}

/**
 * The tokens that a page may set. At most 25; all colours except the surface are derived from the three layout
 * colours.
 */
export const publicTokens = [
  {
    name: '--agent-chat-font',
    initial: 'system-ui, …',
    purpose: 'Font; `inherit, sans-serif` uses the page’s own (`inherit` alone counts as not set)',
  },
  { name: '--agent-chat-font-mono', initial: 'ui-monospace, …', purpose: 'Typeface of code' },
  { name: '--agent-chat-size', initial: '15px', purpose: 'Font size; the smaller sizes follow' },
  { name: '--agent-chat-line-height', initial: '1.55', purpose: 'Line height of text' },
  {
    name: '--agent-chat-measure',
    initial: '72ch',
    purpose: 'Maximum line length of an answer in a wide panel',
  },
  {
    name: '--agent-chat-space',
    initial: '4px',
    purpose: 'Unit of all distances; a smaller one makes the chat denser',
  },
  { name: '--agent-chat-radius-panel', initial: '16px', purpose: 'Corners of the floating panel' },
  { name: '--agent-chat-radius-message', initial: '16px', purpose: 'Corners of the visitor’s messages' },
  { name: '--agent-chat-radius-control', initial: '14px', purpose: 'Corners of the composer' },
  { name: '--agent-chat-radius', initial: '10px', purpose: 'Corners of buttons, cards, fields and code' },
  { name: '--agent-chat-shadow', initial: 'two soft layers', purpose: 'Shadow of the floating panel' },
  {
    name: '--agent-chat-duration',
    initial: '160ms',
    purpose: 'Duration of animations; `0ms` turns them off',
  },
  { name: '--agent-chat-header-height', initial: '56px', purpose: 'Height of the header' },
  { name: '--agent-chat-launcher-size', initial: '56px', purpose: 'Diameter of the launcher' },
  {
    name: '--agent-chat-launcher-offset',
    initial: '20px',
    purpose: 'Distance of launcher and panel from the corner',
  },
  { name: '--agent-chat-surface-light', initial: '#ffffff', purpose: 'Background in the light theme' },
  { name: '--agent-chat-surface-dark', initial: '#14171c', purpose: 'Background in the dark theme' },
] as const satisfies readonly PublicToken[];

/** Private colour tokens and their purpose. `deriveTheme` returns each of them, for each scheme. */
export const colourTokens = {
  '--_surface': 'background of the panel and of fields',
  '--_raised': 'background of cards and forms, and of a disabled control',
  '--_hover': 'background of a quiet control on hover',
  '--_code': 'background of code',
  '--_line': 'a subtle line between elements (decoration only)',
  '--_line-field': 'border of a field or of an unselected control, 3:1',
  '--_text': 'text',
  '--_muted': 'secondary text, placeholders, quiet icons; still 4.5:1',
  '--_primary': 'background of the header',
  '--_primary-raised': 'avatar, and a header button on hover',
  '--_on-primary': 'text and icons on primary and primary-raised; focus ring there',
  '--_on-primary-muted': 'second line of the header',
  '--_second': 'background of the visitor’s message',
  '--_second-line': 'outline of that message: its own colour unless that is too close to the surface',
  '--_on-second': 'text on it',
  '--_second-link': 'links on it, focus ring on it',
  '--_second-muted': 'time, “queued”, “edited” on it',
  '--_accent': 'fill of the main buttons, of a selected option, of the launcher',
  '--_accent-hover': 'that fill on hover',
  '--_on-accent': 'text and icons on accent and accent-hover',
  '--_accent-edge':
    'border of accent fills, 3:1 on the surface even for a pale accent; else the accent itself',
  '--_accent-text': 'accent as text, link or icon on any surface',
  '--_accent-soft': 'tint behind citation marks and options on hover; accent-text and text on it',
  '--_good': 'success, as text or icon',
  '--_warn': 'attention, as text or icon',
  '--_bad': 'failure, as text, icon or border',
  '--_bad-soft': 'background of an error',
  '--_focus': 'focus ring on any surface, 3:1',
  '--_shadow-colour': 'colour of shadows',
  '--_outline': 'hairline around the panel, visible on a page of any colour',
} as const;

/** Name of a private colour token. */
export type ColourToken = keyof typeof colourTokens;

/** Private tokens that are not colours, and their purpose. Declared in `tokens.styles.ts`. */
export const measureTokens = {
  '--_font': 'typeface',
  '--_font-mono': 'typeface of code',
  '--_size': '15px: text',
  '--_size-large': '22px: greeting',
  '--_size-small': '13px: steps, labels, sources, code',
  '--_size-tiny': '12px: times, badges, fine print',
  '--_size-input': '15px, 16px where the pointer is coarse: a smaller input makes phones zoom',
  '--_line-height': '1.55',
  '--_measure': '72ch: longest line',
  '--_space-1': '4px',
  '--_space-2': '8px',
  '--_space-3': '12px',
  '--_space-4': '16px',
  '--_space-5': '20px',
  '--_radius-panel': '16px: panel',
  '--_radius-message': '16px: visitor’s message (the corner by the inline end is radius-tail)',
  '--_radius-tail': '4px: the corner of a message at the inline end',
  '--_radius-control': '14px: composer',
  '--_radius': '10px: buttons, cards, fields, code blocks',
  '--_radius-small': '5px: inline code, marks',
  '--_radius-pill': '999px: options, pills',
  '--_control': '36px: height of a button or field',
  '--_target': '24px, 44px where the pointer is coarse: smallest target',
  '--_header-height': '56px',
  '--_overscroll': 'scroll chaining to the page: `contain`, in place `auto`',
  '--_shadow': 'the panel',
  '--_shadow-small': 'pills, menus',
  '--_duration': '160ms: hover, fade',
  '--_duration-slow': '200ms: panel opening',
  '--_ease': 'easing of animations',
} as const;
