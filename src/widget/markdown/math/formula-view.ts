import { extensions } from '../../../markdown/extensions.ts';
import { formulaSyntax, readFormula, type Formula } from '../../../markdown/formulas.ts';
import type { Block, MathBlock } from '../../../markdown/nodes.ts';
import { loadModule } from '../../platform/load-module.ts';
import { adoptStylesOnceInserted } from '../../platform/adopt-styles.ts';
import { type BlockContent, formulaViews, type ViewContext } from '../view-context.ts';
import { formulaToText } from './formula-to-text.ts';
import { formulaStyles } from './formula.styles.ts';

type Draw = (formula: Formula) => Element | undefined;

let draw: Draw | undefined;

/** Adds formulas to the syntax of Markdown, and to its views. */
export function installFormulas(): void {
  extensions.formulas = formulaSyntax;
  formulaViews.inline = createFormula;
  formulaViews.block = (context) => new FormulaBlock(context);
  extensions.writeFormula = writeFormula;
}

function writeFormula(source: string): string | undefined {
  const formula = readFormula(source);
  const math = formula && draw?.(formula);
  return math && formulaToText(math);
}

/** A formula in text. Until it is drawn, and if it is invalid, it is its source. */
function createFormula(source: string, context: ViewContext): HTMLElement {
  const element = document.createElement('span');
  showFormula(element, source, context);
  return element;
}

/** A formula in a block of its own. Until it is complete, its source is shown, on one line as high as most formulas. */
class FormulaBlock implements BlockContent {
  readonly element = document.createElement('div');
  readonly #context: ViewContext;
  #block: MathBlock | undefined;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  update(block: Block): boolean {
    if (block.kind !== 'math') return false;
    const old = this.#block;
    this.#block = block;
    if (old?.text === block.text && old.closed === block.closed) return true;
    if (block.closed) showFormula(this.element, block.text, this.#context);
    else {
      this.element.className = 'formula display pending';
      this.element.textContent = block.text;
      adoptStylesOnceInserted(this.element, formulaStyles.styleSheet);
    }
    return true;
  }
}

/** Shows a formula in an element: its source until the library is loaded, and always if it is invalid. */
function showFormula(element: HTMLElement, source: string, context: ViewContext): void {
  const formula = readFormula(source);
  element.className = formula?.isDisplay ? 'formula display' : 'formula';
  element.textContent = source;
  adoptStylesOnceInserted(element, formulaStyles.styleSheet);
  if (!formula) return;
  if (draw) fill(element, formula, context);
  else {
    element.classList.add('pending');
    void loadDraw(element).then(() => {
      element.classList.remove('pending');
      if (draw && element.textContent === source) fill(element, formula, context);
    });
  }
}

function fill(element: HTMLElement, formula: Formula, context: ViewContext): void {
  const math = draw?.(formula);
  if (!math) return;
  element.replaceChildren(math);
  element.classList.add('drawn');
  scrollable.observe(element);
  contexts.set(element, context);
  context.labels.add(element, () => setLabel(element));
}

const contexts = new WeakMap<Element, ViewContext>();

function setLabel(element: Element): void {
  if (element.role) element.ariaLabel = contexts.get(element)?.words.t('markdown.formula') ?? '';
}

/** Makes formulas that are wider than the panel reachable with the keyboard. */
const scrollable = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!(target instanceof HTMLElement)) continue;
    const isWide = target.scrollWidth > target.clientWidth + 1;
    if (isWide === (target.tabIndex === 0)) continue;
    if (isWide) {
      target.tabIndex = 0;
      target.role = 'group';
      setLabel(target);
    } else for (const name of ['tabindex', 'role', 'aria-label']) target.removeAttribute(name);
  }
});

/** Loads the library that draws formulas. */
export async function loadDraw(reporter: EventTarget): Promise<void> {
  const module = await loadModule(reporter, 'mathematics', () => import('./create-math-element.ts'));
  draw = module?.createMathElement;
}
