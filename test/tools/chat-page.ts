import type { Locator, Page } from '@playwright/test';
import type { AgentChat } from '../../src/widget/index.ts';

/** Page object of the widget, with the elements that a visitor uses. */
export class ChatPage {
  readonly page: Page;
  readonly element: Locator;

  constructor(page: Page, selector = 'agent-chat') {
    this.page = page;
    this.element = page.locator(selector).first();
  }

  get launcher(): Locator {
    return this.element.locator('.launcher');
  }

  get panel(): Locator {
    return this.element.locator('agent-chat-panel .panel');
  }

  get composer(): Locator {
    return this.element.locator('agent-chat-composer textarea');
  }

  /** Send, or Stop while an answer comes in. */
  get button(): Locator {
    return this.element.locator('agent-chat-composer .main');
  }

  get answers(): Locator {
    return this.element.locator('agent-chat-turn .answer');
  }

  get notice(): Locator {
    return this.element.locator('agent-chat-notice .notice');
  }

  /** Runs a function in the page, with the `<agent-chat>` element. */
  evaluate<Result, Argument = undefined>(
    work: (host: AgentChat, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> {
    // the locator's type is a general element
    return this.element.evaluate(work as never, argument as never) as Promise<Result>;
  }

  /** The launcher's colour as red, green and blue, whatever notation the engine uses. */
  launcherColour(): Promise<readonly number[]> {
    return this.launcher.evaluate((launcher) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      if (!context) throw new Error('this browser draws nothing');
      context.fillStyle = getComputedStyle(launcher).backgroundColor;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    });
  }

  async open(): Promise<void> {
    await this.launcher.click();
    await this.composer.waitFor();
  }

  /** From now on the demo agents answer at once: at their own pace an answer is drawn in a hundred frames. */
  async answerAtOnce(): Promise<void> {
    await this.evaluate((host) => (host.additionalParameters = { delay_ms: 0 }));
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** Current text of the last answer; `''` before there is one. */
  async lastAnswer(): Promise<string> {
    const [text] = await this.#answers('now');
    return text ?? '';
  }

  /** Resolves with the texts of the last answer in each frame until it was complete. */
  growingAnswers(): Promise<string[]> {
    return this.#answers('until complete');
  }

  #answers(when: 'now' | 'until complete'): Promise<string[]> {
    return this.element.evaluate(async (host, until) => {
      const deep = (root: ParentNode, selector: string): Element[] =>
        [...root.querySelectorAll('*')].flatMap((element) => [
          ...(element.matches(selector) ? [element] : []),
          ...(element.shadowRoot ? deep(element.shadowRoot, selector) : []),
        ]);
      const textOf = (node: Node): string =>
        node instanceof Element && node.shadowRoot
          ? [...node.shadowRoot.childNodes].map(textOf).join('')
          : node.nodeType === Node.TEXT_NODE
            ? (node.textContent ?? '')
            : node.nodeName === 'STYLE'
              ? ''
              : [...node.childNodes].map(textOf).join('');
      const find = (selector: string): Element | undefined =>
        host.shadowRoot ? deep(host.shadowRoot, selector).at(-1) : undefined;
      const states: string[] = [];
      for (;;) {
        const done = until === 'now' || find('agent-chat-turn-actions') !== undefined;
        const last = find('.answer');
        const text = last ? textOf(last).trim() : '';
        if (text && text !== states.at(-1)) states.push(text);
        if (done) return states;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, when);
  }
}

/** The visible messages of a page's conversation, as `role: text`. */
export function visibleMessages(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { messages = [] } = document.querySelector('agent-chat')?.conversation ?? {};
    return messages
      .filter(({ hidden, superseded }) => !hidden && !superseded)
      .map(({ role, items }) => `${role}: ${items.map(({ text }) => text).join('')}`);
  });
}
