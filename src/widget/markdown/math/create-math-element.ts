import temml, { type TreeNode } from 'temml';
import type { Formula } from '../../../markdown/formulas.ts';

const mathMl = 'http://www.w3.org/1998/Math/MathML';
/** Longer formulas, in characters, are not drawn. */
const maxLength = 10_000;
const maxNodes = 4000;
const maxDepth = 60;

const tags = new Set(
  'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
    ' ',
  ),
);
const attributes = new Set(
  'accent accentunder columnalign columnlines depth display displaystyle fence form height largeop linethickness lspace mathsize mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width'.split(
    ' ',
  ),
);
const styles = new Set(
  'border borderBottom borderLeft borderRight borderTop fontStyle fontWeight marginLeft mathDepth math-depth padding paddingBottom paddingLeft paddingRight paddingTop textAlign width'.split(
    ' ',
  ),
);

/**
 * Creates the MathML of a formula. Only known elements, attributes and properties get into the document; colours are
 * left out, because they may be unreadable in one of the themes.
 * @returns undefined if the formula is invalid, unsafe, or too long
 */
export function createMathElement({ tex, isDisplay }: Formula): Element | undefined {
  if (tex.length > maxLength) return undefined;
  try {
    const tree = temml.__renderToMathMLTree(tex, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      maxSize: [20, 200],
      maxExpand: 200,
    });
    return tree.type === 'math' ? new MathBuilder().create(tree, 0) : undefined;
  } catch {
    return undefined; // the source is shown instead
  }
}

class MathBuilder {
  #count = 0;

  create(tree: TreeNode, depth: number): Element {
    const { type = '', classes, style, children } = tree;
    if (!tags.has(type)) throw new TypeError(`<${type}> is not MathML of a formula`);
    if (++this.#count > maxNodes || depth > maxDepth) throw new RangeError('The formula is too large');
    const element = document.createElementNS(mathMl, type);
    for (const [name, value] of Object.entries(tree.attributes ?? {}))
      if (attributes.has(name)) element.setAttribute(name, value);
    if (type === 'mspace' && tree.attributes?.['mathbackground']) element.classList.add('rule');
    for (const name of classes ?? []) if (/^[\w-]+$/.test(name)) element.classList.add(name);
    if (element instanceof MathMLElement)
      for (const [name, value] of Object.entries(style ?? {}))
        if (styles.has(name)) element.style.setProperty(cssName(name), value);
    this.#append(element, children ?? [], depth + 1);
    return element;
  }

  #append(parent: Element, children: readonly TreeNode[], depth: number): void {
    for (const child of children) {
      if (child.text !== undefined) parent.append(child.text);
      else if (child.type) parent.append(this.create(child, depth));
      else this.#append(parent, child.children ?? [], depth + 1); // a fragment
    }
  }
}

function cssName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
