const superscripts: Readonly<Record<string, string>> = {
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
  '+': '⁺',
  '−': '⁻',
  n: 'ⁿ',
  '′': '′',
};
const firstSubscript = 0x2080;
const spacedOperators = /^[=≠<>≤≥≈≡∼∝+−±×·⋅÷→⇒∈∪∩]$/;
/** Tells a browser's engine how to read what is adjacent; screen readers spell it. */
const invisible = /[\u2061-\u2064]/g;

/**
 * Writes a formula as one line of text: `E = mc²`.
 * @returns undefined if a line of text cannot write it, for example a matrix
 */
export function formulaToText(math: Element): string | undefined {
  return textOf(math)?.replace(/\s+/g, ' ').trim();
}

function textOf(element: Element | undefined): string | undefined {
  const parts = [...(element?.children ?? [])];
  const [base, first, second] = parts;
  switch (element?.localName) {
    case 'math':
    case 'mrow':
    case 'mstyle':
    case 'mpadded':
      return joined(parts.map(textOf));
    case 'mi':
    case 'mn':
    case 'mtext':
      return contentOf(element);
    case 'mo':
      return operatorOf(element);
    case 'mspace':
      return ' ';
    case 'msup':
      return joined([textOf(base), written(first, (sign) => superscripts[sign])]);
    case 'msub':
      return joined([textOf(base), written(first, subscriptOf)]);
    case 'msubsup':
      return joined([
        textOf(base),
        written(first, subscriptOf),
        written(second, (sign) => superscripts[sign]),
      ]);
    case 'mfrac':
      return joined([' ', tokenOf(base), '/', tokenOf(first), ' ']);
    case 'msqrt':
      return joined(['√', tokenOf(base)]);
    default:
      return undefined;
  }
}

/** The plain letters of mathematical ones. */
function contentOf(element: Element): string {
  return (element.textContent ?? '').normalize('NFKC').replace(invisible, '');
}

function operatorOf(element: Element): string {
  const sign = contentOf(element);
  const isSpaced = spacedOperators.test(sign) && element.getAttribute('form') !== 'prefix';
  return isSpaced ? ` ${sign} ` : sign;
}

/** A number or a letter; undefined for what would need brackets. */
function tokenOf(element: Element | undefined): string | undefined {
  const token = textOf(element)?.trim() ?? '';
  return /^(?:\p{L}|\p{N}[\p{N}.,]*)$/u.test(token) ? token : undefined;
}

/** Writes what is raised or lowered with other characters. */
function written(
  element: Element | undefined,
  characterOf: (sign: string) => string | undefined,
): string | undefined {
  const signs = [...(textOf(element)?.replace(/\s/g, '') ?? '')];
  return signs.length > 0 ? joined(signs.map(characterOf)) : undefined;
}

function subscriptOf(sign: string): string | undefined {
  return /^\d$/.test(sign) ? String.fromCharCode(firstSubscript + Number(sign)) : undefined;
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}
