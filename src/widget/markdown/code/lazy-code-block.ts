import type { Block, CodeBlock } from '../../../markdown/nodes.ts';
import { loadModule } from '../../platform/load-module.ts';
import { retryDelayMs } from '../../platform/lazy-element.ts';
import type { CodeBlockView } from './code-block.ts';
import type { BlockContent, ViewContext } from '../view-context.ts';

let View: typeof CodeBlockView | undefined;
let loading: Promise<void> | undefined;

/** Loads the full code block; `reporter` dispatches a diagnostic when that fails. Call again to retry. */
export function loadCodeBlock(reporter: EventTarget): Promise<void> {
  loading ??= loadModule(reporter, 'code blocks', () => import('./code-block.ts')).then((module) => {
    View = module?.CodeBlockView;
    if (!module) loading = undefined;
  });
  return loading;
}

/**
 * A code block whose full version loads on demand. Until then, the code is plain text with the same position and size.
 */
export class LazyCodeBlock implements BlockContent {
  readonly element: HTMLElement = document.createElement('div');
  readonly #context: ViewContext;
  readonly #plain = document.createElement('code');
  #view: CodeBlockView | undefined;
  #block: CodeBlock | undefined;

  constructor(context: ViewContext) {
    this.#context = context;
    this.element.className = 'code';
    this.element.part.add('code');
    if (View) return;
    const head = document.createElement('div');
    const pre = document.createElement('pre');
    head.className = 'code-head';
    pre.append(this.#plain);
    this.element.append(head, pre);
    setTimeout(() => void this.#load()); // render the text first
  }

  update(block: Block): boolean {
    if (block.kind !== 'code') return false;
    this.#block = block;
    if (View) {
      this.#view ??= new View(this.#context, this.element);
      this.#view.update(block);
    } else this.#plain.textContent = block.settled.join('') + block.rest;
    return true;
  }

  async #load(): Promise<void> {
    await loadCodeBlock(this.element);
    if (!View) setTimeout(() => void (this.element.isConnected && this.#load()), retryDelayMs);
    else if (this.#block) this.update(this.#block);
  }
}
