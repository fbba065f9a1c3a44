import { LitElement } from 'lit';
import { expect } from '@open-wc/testing';
import { LazyElement, retryDelayMs } from '../../../src/widget/platform/lazy-element.ts';

class AskingElement extends LitElement {}
customElements.define('asking-element', AskingElement);

describe('lazy elements', () => {
  const { setTimeout: realTimeout } = globalThis;
  beforeEach(() => {
    // skips the delay before a retry
    const soon = (work: () => void, milliseconds?: number): ReturnType<typeof setTimeout> =>
      realTimeout(work, milliseconds === retryDelayMs ? 20 : milliseconds);
    globalThis.setTimeout = soon as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = realTimeout;
  });

  it('load again after a failure for an element that is still connected, although the first one is not', async () => {
    let asked = 0;
    const late = new LazyElement('late-element-lost', () =>
      ++asked === 1 ? Promise.reject(new TypeError('lost')) : Promise.resolve(class extends HTMLElement {}),
    );
    const [gone, stays] = [new AskingElement(), new AskingElement()];
    document.body.append(stays);
    const told: unknown[] = [];
    gone.addEventListener('agent-chat-diagnostic', (event) => {
      event.preventDefault();
      told.push(event.type);
    });
    late.request(gone);
    late.request(stays);
    await customElements.whenDefined('late-element-lost');
    expect([asked, told.length]).to.deep.equal([2, 1]);
    await new Promise((resolve) => realTimeout(resolve, 0));
    expect(late.hasFailed).to.equal(false);
    stays.remove();
  });

  it('do not load again without a connected element until one requests it', async () => {
    let asked = 0;
    const late = new LazyElement('late-element-left', () =>
      ++asked === 1 ? Promise.reject(new TypeError('lost')) : Promise.resolve(class extends HTMLElement {}),
    );
    const asker = new AskingElement();
    asker.addEventListener('agent-chat-diagnostic', (event) => event.preventDefault());
    late.request(asker);
    await new Promise((resolve) => realTimeout(resolve, 60));
    expect([asked, late.hasFailed]).to.deep.equal([1, true]);
    late.request(new AskingElement());
    await customElements.whenDefined('late-element-left');
    expect(asked).to.equal(2);
  });
});
