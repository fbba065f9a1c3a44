/** Two colours of the widget that are used together. A test compares this list with the widget's own. */
export interface Pair {
  readonly front: string;
  readonly back: string;
  readonly kind: 'text' | 'part';
  readonly where: string;
}

const surfaces = ['surface', 'raised', 'hover', 'code'];

export const pairs: readonly Pair[] = [
  ...text('on-primary', ['primary', 'primary-raised'], 'Header'),
  ...text('on-primary-muted', ['primary'], 'Header, second line'),
  ...text('on-second', ['second'], 'Visitor’s message'),
  ...text('second-link', ['second'], 'Link in it'),
  ...text('second-muted', ['second'], 'Time in it'),
  ...text('on-accent', ['accent', 'accent-hover'], 'Main button, chosen option'),
  ...text('accent-text', [...surfaces, 'accent-soft'], 'Link, option, citation'),
  ...text('text', [...surfaces, 'accent-soft', 'bad-soft'], 'Text'),
  ...text('muted', [...surfaces, 'accent-soft', 'bad-soft'], 'Secondary text, disabled'),
  ...text('good', surfaces, 'Success'),
  ...text('warn', surfaces, 'Attention'),
  ...text('bad', [...surfaces, 'bad-soft'], 'Failure'),
  ...part('line-field', ['surface', 'raised'], 'Border of a field'),
  ...part('accent-edge', ['surface', 'raised'], 'Edge of a main button'),
  ...part('focus', surfaces, 'Focus ring'),
  ...part('on-primary', ['primary'], 'Focus ring in the header'),
  ...part('second-link', ['second'], 'Focus ring in a message'),
];

function text(front: string, backs: readonly string[], where: string): Pair[] {
  return backs.map((back) => ({ front, back, kind: 'text', where }));
}

function part(front: string, backs: readonly string[], where: string): Pair[] {
  return backs.map((back) => ({ front, back, kind: 'part', where }));
}
