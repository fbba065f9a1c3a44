import { LitElement } from 'lit';
import { expect } from '@open-wc/testing';
import type { AgentClient } from '../../../src/client/agent-client.ts';
import type { ChatHost } from '../../../src/widget/chat-host.ts';
import {
  freshForMs,
  PublishedConfig,
  rereadIntervalMs,
} from '../../../src/widget/runtime/published-config.ts';
import { ManualClock } from '../../session/manual-clock.ts';

class FollowingElement extends LitElement {
  config = { agentId: 'harbour', liveConfig: true, baseUrl: 'https://chat.example', open: false };
  applied: unknown[] = [];
  applyPublishedConfig(json: unknown): void {
    this.applied.push(json);
  }
}
customElements.define('following-element', FollowingElement);

// the fake clock needs setImmediate, which only Node has
before(() => Reflect.set(globalThis, 'setImmediate', (work: () => void) => setTimeout(work)));

describe('published config', () => {
  let host: FollowingElement;
  let clock: ManualClock;
  let isLive: boolean;
  let answer: () => Promise<unknown>;
  let following: PublishedConfig;

  beforeEach(async () => {
    host = new FollowingElement();
    clock = new ManualClock();
    isLive = true;
    document.body.append(host);
    answer = () => Promise.resolve({ is_live: isLive });
    const getEmbeddedChatConfig = (): Promise<unknown> => answer();
    // all that is requested
    const client = { extensions: { getEmbeddedChatConfig } } as unknown as AgentClient;
    following = new PublishedConfig(host as unknown as ChatHost, () => client, clock);
    await following.update();
  });
  afterEach(() => host.remove());

  const focus = async (): Promise<void> => {
    window.dispatchEvent(new Event('focus'));
    await clock.pass(0);
  };

  it('does not return to an earlier state when an earlier response comes last', async () => {
    const waiting: ((config: unknown) => void)[] = [];
    answer = () => new Promise((resolve) => waiting.push(resolve));
    for (const _ of [1, 2]) {
      await clock.pass(freshForMs);
      await focus();
    }
    waiting[1]?.({ is_live: false });
    waiting[0]?.({ is_live: true });
    await clock.pass(0);
    expect(host.applied).to.deep.equal([{ is_live: true }, { is_live: false }]);
  });

  it('is removed from a page that is focused after the chat was unpublished', async () => {
    expect(host.applied).to.deep.equal([{ is_live: true }]);
    isLive = false;
    await clock.pass(freshForMs);
    await focus();
    expect(host.applied.at(-1)).to.deep.equal({ is_live: false });
  });

  it('is read every five minutes on a visible page, however often it is focused', async () => {
    await focus();
    await clock.pass(freshForMs - 1);
    await focus();
    expect(host.applied).to.have.length(1);
    await clock.pass(rereadIntervalMs);
    expect(host.applied).to.have.length(2);
    await clock.pass(rereadIntervalMs);
    expect(host.applied).to.have.length(3);
    expect(clock.pending).to.equal(1);
  });

  it('is read every five minutes after a move, too', async () => {
    document.body.prepend(host);
    expect(clock.pending).to.equal(1);
    await clock.pass(rereadIntervalMs);
    expect(host.applied).to.have.length(2);
  });

  it('is not read for a removed chat, or without live-config', async () => {
    host.remove();
    await clock.pass(rereadIntervalMs * 2);
    await focus();
    expect([host.applied.length, clock.pending]).to.deep.equal([1, 0]);
    document.body.append(host);
    await clock.pass(0);
    expect(host.applied).to.have.length(2);
    host.config = { ...host.config, liveConfig: false };
    await following.update();
    await clock.pass(rereadIntervalMs * 2);
    await focus();
    expect(host.applied.slice(2)).to.deep.equal([{}]);
  });
});
