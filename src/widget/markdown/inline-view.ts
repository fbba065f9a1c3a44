import type { Inline, InlineImage, InlineLink } from '../../markdown/nodes.ts';
import { safeLinkUrl } from '../platform/url-policy.ts';
import { imageContent } from './lazy-image.ts';
import { mismatchedHost } from './deceptive-links.ts';
import { formulaViews, type ViewContext } from './view-context.ts';

/** A rendered inline node. */
interface Shown {
  node: Inline;
  readonly dom: ChildNode;
  readonly inner: InlineView | undefined;
}

const tags = { strong: 'strong', emphasis: 'em', strike: 'del' } as const;
const nothing: readonly Inline[] = [];

/**
 * Inline content of a parent, updated in place: unchanged nodes keep their DOM nodes, and growing text extends its
 * text node.
 */
export class InlineView {
  readonly #parent: Node;
  readonly #context: ViewContext;
  readonly #shown: Shown[] = [];
  #settled: readonly Inline[] = nothing;
  #rest: readonly Inline[] = nothing;
  /** Number of stable nodes that were processed. */
  #taken = 0;
  /** Number of rendered nodes that are completely stable. */
  #fixed = 0;
  /** Length of the stable text in the node after the fixed ones; its `node` contains only the text after that. */
  #lead = 0;

  constructor(parent: Node, context: ViewContext) {
    this.#parent = parent;
    this.#context = context;
  }

  /** The first rendered node, if any. */
  get first(): ChildNode | undefined {
    return this.#shown[0]?.dom;
  }

  /**
   * Renders new content.
   * @param rest nodes that may still change
   * @param settled stable nodes before them; the same array only ever grows
   * @param before the parent's node after this content; null at its end
   */
  update(
    rest: readonly Inline[],
    settled: readonly Inline[] = nothing,
    before: ChildNode | null = null,
  ): void {
    if (settled !== this.#settled) this.#release();
    else if (rest === this.#rest && settled.length === this.#taken) return;
    const fresh = joinTexts(settled.slice(this.#taken), nothing);
    this.#settled = settled;
    this.#taken = settled.length;
    this.#rest = rest;
    const nodes = fresh.length > 0 ? joinTexts(fresh, rest) : rest;
    if (this.#lead > 0 && nodes[0]?.kind !== 'text') this.#closeLead();
    nodes.forEach((node, index) => {
      this.#set(this.#fixed + index, node, before);
    });
    for (const { dom } of this.#shown.splice(this.#fixed + nodes.length)) dom.remove();
    if (fresh.length > 0) this.#fix(fresh);
  }

  /** Marks all nodes as changeable again. */
  #release(): void {
    for (const shown of this.#shown) {
      if (shown.dom instanceof Text) shown.node = { kind: 'text', text: shown.dom.data };
    }
    this.#taken = 0;
    this.#fixed = 0;
    this.#lead = 0;
  }

  #closeLead(): void {
    const border = this.#shown[this.#fixed];
    if (border?.dom instanceof Text && border.dom.length > this.#lead) {
      border.dom.deleteData(this.#lead, border.dom.length - this.#lead);
    }
    this.#fixed++;
    this.#lead = 0;
  }

  /** Marks nodes that were just rendered as stable. */
  #fix(fresh: readonly Inline[]): void {
    const last = fresh.at(-1);
    const { length } = fresh;
    if (last?.kind !== 'text') {
      this.#fixed += length;
      this.#lead = 0;
      return;
    }
    if (length > 1) this.#lead = 0;
    this.#fixed += length - 1;
    this.#lead += last.text.length;
    const border = this.#shown[this.#fixed];
    if (border?.node.kind === 'text') {
      border.node = { kind: 'text', text: border.node.text.slice(last.text.length) };
    }
  }

  #set(index: number, node: Inline, before: ChildNode | null): void {
    const old = this.#shown[index];
    const lead = index === this.#fixed ? this.#lead : 0;
    if (old && old.node !== node && isForeign(old, this.#parent, lead))
      return this.#context.onForeignChange();
    if (old && (old.node === node || this.#change(old, node, lead))) {
      old.node = node;
      return;
    }
    const fresh = this.#create(node);
    if (old) old.dom.replaceWith(fresh.dom);
    else this.#parent.insertBefore(fresh.dom, before);
    this.#shown[index] = fresh;
  }

  remove(): void {
    for (const { dom } of this.#shown) dom.remove();
    this.#shown.length = 0;
  }

  #change({ node: old, dom, inner }: Shown, node: Inline, lead: number): boolean {
    switch (node.kind) {
      case 'text':
        if (old.kind !== 'text') return false;
        changeText(dom, old.text, node.text, lead);
        return true;
      case 'code':
        if (old.kind !== 'code') return false;
        if (dom.firstChild) changeText(dom.firstChild, old.text, node.text);
        else dom.textContent = node.text;
        return true;
      case 'math':
        return old.kind === 'math' && old.text === node.text;
      case 'break':
        return old.kind === 'break';
      case 'image':
        return old.kind === 'image' && sameImage(old, node);
      case 'link':
        if (old.kind !== 'link' || old.href !== node.href || old.title !== node.title) return false;
        if (labelOf(old.children) !== labelOf(node.children)) return false;
        inner?.update(node.children);
        return true;
      default:
        if (old.kind !== node.kind) return false;
        inner?.update(node.children);
        return true;
    }
  }

  #create(node: Inline): Shown {
    switch (node.kind) {
      case 'text':
        return { node, dom: document.createTextNode(node.text), inner: undefined };
      case 'code': {
        const dom = document.createElement('code');
        dom.dir = 'auto'; // a paragraph that begins with code has the direction of its words
        dom.textContent = node.text;
        return { node, dom, inner: undefined };
      }
      case 'math': {
        const dom = formulaViews.inline?.(node.text, this.#context) ?? document.createTextNode(node.text);
        return { node, dom, inner: undefined };
      }
      case 'break':
        return { node, dom: document.createElement('br'), inner: undefined };
      case 'image':
        return { node, dom: imageContent(node, this.#context), inner: undefined };
      case 'link':
        return this.#createLink(node);
      default: {
        const dom = document.createElement(tags[node.kind]);
        const inner = new InlineView(dom, this.#context);
        inner.update(node.children);
        return { node, dom, inner };
      }
    }
  }

  #createLink(node: InlineLink): Shown {
    const url = safeLinkUrl(node.href);
    const dom = document.createElement(url ? 'a' : 'span');
    const inner = new InlineView(dom, this.#context);
    inner.update(node.children);
    if (dom instanceof HTMLAnchorElement && url) {
      dom.href = url.href;
      dom.target = '_blank';
      dom.rel = 'noopener noreferrer';
      dom.part.add('link');
      if (node.title) dom.title = node.title;
      const real = mismatchedHost(labelOf(node.children), url);
      if (real !== undefined) dom.append(realAddressMark(real));
    }
    return { node, dom, inner };
  }
}

function realAddressMark(real: string): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'real-address';
  mark.textContent = ` (${real})`;
  return mark;
}

/** Whether something else has moved a rendered node or changed its text. */
function isForeign({ node, dom }: Shown, parent: Node, lead: number): boolean {
  const hasOtherText = node.kind === 'text' && dom instanceof Text && dom.length !== lead + node.text.length;
  return dom.parentNode !== parent || hasOtherText;
}

/** Appends to a text node if the text only grew, which keeps a selection inside. */
function changeText(dom: ChildNode, old: string, text: string, lead = 0): void {
  if (old === text || !(dom instanceof Text)) return;
  if (text.startsWith(old)) dom.appendData(text.slice(old.length));
  else dom.replaceData(lead, old.length, text);
}

/** Concatenates two lists of nodes and merges adjacent text nodes. */
function joinTexts(first: readonly Inline[], second: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const node of [...first, ...second]) {
    const last = joined.at(-1);
    if (node.kind !== 'text' || last?.kind !== 'text') joined.push(node);
    else joined[joined.length - 1] = { kind: 'text', text: last.text + node.text };
  }
  return joined;
}

function sameImage(old: InlineImage, node: InlineImage): boolean {
  return old.source === node.source && old.title === node.title && old.alternative === node.alternative;
}

function labelOf(nodes: readonly Inline[]): string {
  let label = '';
  for (const node of nodes) {
    if ('text' in node) label += node.text;
    else if (node.kind === 'image') label += node.alternative;
    else if (node.kind !== 'break') label += labelOf(node.children);
  }
  return label;
}
