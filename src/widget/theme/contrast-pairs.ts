import type { ColourToken } from './tokens.ts';

/** Two colours that are used together, and their required contrast. */
export interface ContrastPair {
  readonly front: ColourToken;
  readonly back: ColourToken;
  /** Text needs 4.5:1; a part (border, ring, icon, fill of a control) needs 3:1. */
  readonly kind: 'text' | 'part';
  /** Where they are used. */
  readonly where: string;
}

const surfaces = ['--_surface', '--_raised', '--_hover', '--_code'] as const;

/** Every pair that the widget uses. The playground's contrast table and the tests use this list. */
export const contrastPairs: readonly ContrastPair[] = [
  text('--_on-primary', ['--_primary', '--_primary-raised'], 'header: name, buttons, avatar'),
  text('--_on-primary-muted', ['--_primary'], 'header: second line'),
  text('--_on-second', ['--_second'], 'visitor’s message'),
  text('--_second-link', ['--_second'], 'link and focus ring in the visitor’s message'),
  text('--_second-muted', ['--_second'], 'time and state in the visitor’s message'),
  text('--_on-accent', ['--_accent', '--_accent-hover'], 'main button, Send, selected option'),
  text('--_accent-text', [...surfaces, '--_accent-soft'], 'link, option, citation mark'),
  text('--_text', [...surfaces, '--_accent-soft', '--_bad-soft'], 'text'),
  text('--_muted', [...surfaces, '--_accent-soft', '--_bad-soft'], 'secondary text, placeholder, disabled'),
  text('--_good', surfaces, 'success'),
  text('--_warn', surfaces, 'attention'),
  text('--_bad', [...surfaces, '--_bad-soft'], 'failure, invalid field'),
  part('--_line-field', ['--_surface', '--_raised'], 'border of a field'),
  part('--_accent-edge', ['--_surface', '--_raised'], 'edge of a main button'),
  part('--_focus', surfaces, 'focus ring'),
  part('--_on-primary', ['--_primary'], 'focus ring in the header'),
  part('--_second-link', ['--_second'], 'focus ring in the visitor’s message'),
].flat();

function text(front: ColourToken, backs: readonly ColourToken[], where: string): ContrastPair[] {
  return backs.map((back) => ({ front, back, kind: 'text', where }));
}

function part(front: ColourToken, backs: readonly ColourToken[], where: string): ContrastPair[] {
  return backs.map((back) => ({ front, back, kind: 'part', where }));
}
