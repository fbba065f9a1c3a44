import type Axe from 'axe-core';
import { fixture, html } from '@open-wc/testing';
import { LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { ConversationItem, ConversationMessage } from '../../../src/conversation/conversation.ts';
import type { ItemContext } from '../../../src/widget/content/item-context.ts';
import type { ItemActionEvent, ItemAnswerEvent } from '../../../src/widget/content/item-events.ts';
import { createMessage } from '../../../src/conversation/factories.ts';
import { readItem } from '../../../src/conversation/items.ts';
import { renderMessageItem } from '../../../src/widget/content/render-message-item.ts';
import '../../../src/widget/markdown/markdown-element.ts';
import { applyTheme } from '../../../src/widget/theme/apply-theme.ts';
import { defaultColours, deriveTheme, type Scheme } from '../../../src/widget/theme/derive-theme.ts';
import { sharedStyles } from '../../../src/widget/theme/shared.styles.ts';
import { tokenStyles } from '../../../src/widget/theme/tokens.styles.ts';
import { defaultStrings } from '../../../src/widget/i18n/strings.ts';

/** Renders items like a turn does, with the theme, and records their events. */
export class ItemHarness extends LitElement {
  static override styles = [tokenStyles, sharedStyles];

  @property({ attribute: false }) items: readonly ConversationItem[] = [];
  @property({ attribute: false }) context!: ItemContext;
  @property({ attribute: false }) scheme: Scheme = 'light';
  readonly answers: ItemAnswerEvent[] = [];
  readonly actions: ItemActionEvent[] = [];

  constructor() {
    super();
    this.addEventListener('agent-chat-item-answer', (event) => this.answers.push(event));
    this.addEventListener('agent-chat-item-action', (event) => this.actions.push(event));
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('scheme')) this.#theme();
  }

  override render(): unknown {
    return this.items.map((item) => renderMessageItem(item, this.context, this));
  }

  /** before the first layout, as in the panel: a later colour would arrive by a transition */
  #theme(): void {
    applyTheme(this, deriveTheme({ ...defaultColours, scheme: this.scheme }), this.scheme);
    this.style.background = 'var(--_surface)';
    this.style.display = 'block';
    this.style.padding = '16px';
  }
}
customElements.define('item-harness', ItemHarness);

/** A message of the agent, as stored in the conversation. */
export function messageOf(change: Partial<ConversationMessage> = {}): ConversationMessage {
  const known = { id: 'message-1', role: 'assistant', status: 'complete', runKey: 'run-1' } as const;
  return {
    ...createMessage({ ...known, createdAt: Date.now() }),
    messageId: '5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10',
    ...change,
  };
}

/** The context of an item, in English, answerable. */
export function contextOf(change: Partial<ItemContext> = {}): ItemContext {
  return {
    words: defaultStrings,
    message: messageOf(),
    answer: undefined,
    active: true,
    streaming: false,
    policy: { baseUrl: location.origin, images: [], media: [], frames: [] },
    ...change,
  };
}

/** An item, as stored in the conversation. */
export function itemOf(source: Readonly<Record<string, unknown>>): ConversationItem {
  return readItem(source, idOf(source, 'item-1'));
}

function idOf({ id }: Readonly<Record<string, unknown>>, otherwise: string): string {
  return typeof id === 'string' ? id : otherwise;
}

/** Renders items and waits until all of their parts have loaded. */
export async function show(
  sources: readonly Readonly<Record<string, unknown>>[],
  change: Partial<ItemContext> = {},
  scheme: Scheme = 'light',
): Promise<ItemHarness> {
  const items = sources.map((source, index) => readItem(source, idOf(source, `item-${index + 1}`)));
  const harness = await fixture<ItemHarness>(
    html`<item-harness .items=${items} .context=${contextOf(change)} .scheme=${scheme}></item-harness>`,
  );
  await settled(harness);
  return harness;
}

/** Waits until every element under a root is defined and rendered. */
export async function settled(root: Element): Promise<void> {
  const end = performance.now() + 8000;
  for (let before = -1; performance.now() < end;) {
    const all = [root, ...deepAll(root, '*')];
    for (const element of all) if ('updateComplete' in element) await element.updateComplete;
    const now = deepAll(root, '*').length;
    const isWaiting = deepAll(root, '.room, :not(:defined), agent-chat-item[loading]').length > 0;
    if (!isWaiting && now === before) return;
    before = now;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** All elements that match a selector, through all shadow roots. */
export function deepAll<Found extends Element = HTMLElement>(root: Element, selector: string): Found[] {
  const found: Found[] = [];
  const visit = (within: ParentNode): void => {
    found.push(...within.querySelectorAll<Found>(selector));
    for (const element of within.querySelectorAll('*')) if (element.shadowRoot) visit(element.shadowRoot);
  };
  if (root.shadowRoot) visit(root.shadowRoot);
  visit(root);
  return found;
}

/** The first element that matches a selector, through all shadow roots. Throws if there is none. */
export function deep<Found extends Element = HTMLElement>(root: Element, selector: string): Found {
  const [found] = deepAll<Found>(root, selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
}

/** All visible text, through all shadow roots. */
export function textOf(root: Element): string {
  const parts: string[] = [];
  const visit = (node: Node): void => {
    if (node instanceof Text) parts.push(node.data);
    if (node instanceof HTMLStyleElement) return;
    if (node instanceof Element && node.shadowRoot) node.shadowRoot.childNodes.forEach(visit);
    node.childNodes.forEach(visit);
  };
  visit(root);
  return parts.join(' ').replace(/\s+/g, ' ').trim();
}

const axeRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Violations that axe finds, by WCAG 2.2 AA and best practices, with their elements. */
export async function axeFaults(element: Element): Promise<readonly string[]> {
  return axeFaultsBy(element, { runOnly: axeRules, rules: { region: { enabled: false } } });
}

/** The same for all that a test has rendered, in one run, which is much faster. Several forms may have one name. */
export async function axeFaultsOfPage(): Promise<readonly string[]> {
  const rules = { region: { enabled: false }, 'landmark-unique': { enabled: false } };
  return axeFaultsBy(document.body, { runOnly: axeRules, rules });
}

/** Violations that axe finds with these options, with their elements; without options, by all of its rules. */
export async function axeFaultsBy(
  element: Element,
  options: Axe.RunOptions = {},
): Promise<readonly string[]> {
  // the imported module sets a global
  // @ts-expect-error the file has no types of its own
  await import('axe-core/axe.min.js');
  const { axe } = window as unknown as { readonly axe: typeof Axe };
  const { violations } = await axe.run(element, { ...options, resultTypes: ['violations'] });
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map((node) => node.html)
        .slice(0, 3)
        .join(' ')}`,
  );
}

/** The button or link with this name. Throws when there is none. */
export function button(harness: ItemHarness, name: string): HTMLButtonElement {
  const found = deepAll<HTMLButtonElement>(harness, 'button, a').find(
    (one) => one.getAttribute('aria-label') === name || one.textContent?.replace(/\s+/g, ' ').trim() === name,
  );
  if (!found) throw new Error(`no button ${name} in ${textOf(harness)}`);
  return found;
}

/** Waits for a condition. */
export async function waitFor(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${String(condition)}`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
