import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { emptyConversation } from '../../../../src/conversation/conversation.ts';
import { createMessage } from '../../../../src/conversation/factories.ts';
import { readItems } from '../../../../src/conversation/items.ts';
import { turnsOf } from '../../../../src/conversation/turns.ts';
import type { SessionState } from '../../../../src/session/index.ts';
import type { ConversationView } from '../../../../src/widget/contexts.ts';
import { AutoScrollController } from '../../../../src/widget/panel/transcript/auto-scroll-controller.ts';
import { TranscriptElement } from '../../../../src/widget/panel/transcript/transcript.ts';
import { TurnElement } from '../../../../src/widget/panel/transcript/turn.ts';
import { VisitorMessageElement } from '../../../../src/widget/panel/transcript/visitor-message.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';
import { deepestFocus } from '../../../../src/widget/platform/focus.ts';
import { emulateTimeZone, endEmulation } from '../../emulation.ts';
import { panelConfig } from '../panel-fixture.ts';

defineElement('agent-chat-transcript', TranscriptElement);
defineElement('agent-chat-turn', TurnElement);
defineElement('agent-chat-visitor-message', VisitorMessageElement);

function viewOf(count: number): ConversationView {
  const messages = Array.from({ length: count }, (_, at) => ({
    ...createMessage({ id: `${at}`, role: 'user', status: 'sent', runKey: undefined, createdAt: 1 }),
    items: readItems(`Message ${at}`),
  }));
  const conversation = { ...emptyConversation, messages };
  return { conversation, turns: turnsOf(conversation, []), run: undefined, startedRunId: undefined };
}

function show(view: ConversationView): Promise<TranscriptElement> {
  const session: SessionState = { connection: 'idle', canStop: false, busy: false, history: 'none' };
  return fixture(
    html`<agent-chat-transcript
      .panel=${panelConfig}
      .view=${view}
      .session=${session}
    ></agent-chat-transcript>`,
  );
}

describe('<agent-chat-transcript>', () => {
  it('describes the message that "Show earlier" focuses by its content', async () => {
    const transcript = await show(viewOf(12));
    const earlier = transcript.renderRoot.querySelector<HTMLElement>('.earlier');
    earlier?.focus();
    earlier?.click();
    await waitUntil(() => deepestFocus(document.activeElement)?.matches('.message'));
    const message = deepestFocus(document.activeElement);
    const described = message?.getAttribute('aria-describedby') ?? '';
    expect(described).to.not.equal('');
    const content = (message?.getRootNode() as ShadowRoot).getElementById(described);
    expect(content?.shadowRoot?.textContent).to.contain('Message 1');
  });

  /** The mark above a message of this time. */
  async function markOf(createdAt: number): Promise<string> {
    const view = viewOf(1);
    const turns = view.turns.map((turn) => ({
      ...turn,
      prompt: turn.prompt && { ...turn.prompt, createdAt },
    }));
    const transcript = await show({ ...view, turns });
    return transcript.renderRoot.querySelector('.mark')?.textContent?.trim() ?? '';
  }

  it('says the day of a conversation that has just begun, and the time of an earlier one', async () => {
    expect(await markOf(Date.now())).to.equal('Today');
    const morning = new Date().setHours(0, 1);
    expect(await markOf(Math.min(morning, performance.timeOrigin - 1))).to.match(/^(Today 12:01|Yesterday)/);
    expect(await markOf(new Date(2021, 0, 5, 8, 5).getTime())).to.match(/^Tuesday, January 5, 2021 at 8:05/);
  });

  it('does not say the day again after a turn without a time', async () => {
    const view = viewOf(3);
    const [first, second, third] = view.turns;
    if (!first || !second || !third) throw new Error('there are three turns');
    const turns = [first, { ...second, prompt: undefined, answers: [] }, third].map((turn) => ({
      ...turn,
      prompt: turn.prompt && { ...turn.prompt, createdAt: Date.now() },
    }));
    const transcript = await show({ ...view, turns });
    expect(transcript.renderRoot.querySelectorAll('.mark')).to.have.length(1);
  });

  it('knows yesterday on the nights in which the clocks change', async () => {
    const RealDate = Date;
    await emulateTimeZone('Europe/Berlin');
    try {
      for (const [now, yesterday, before] of [
        ['2026-03-30T00:30', '2026-03-29T12:00', '2026-03-28T23:45'],
        ['2026-10-25T23:30', '2026-10-24T12:00', '2026-10-23T23:45'],
      ] as const) {
        window.Date = new Proxy(RealDate, {
          construct: (target, [value]: [number?]) => new target(value ?? now),
        });
        expect(await markOf(RealDate.parse(yesterday))).to.match(/^Yesterday/);
        expect(await markOf(RealDate.parse(before))).not.to.match(/^Yesterday/);
      }
    } finally {
      window.Date = RealDate;
      await endEmulation();
    }
  });

  it('has a whole focus ring: the fades at its edges do not cover it', async () => {
    const transcript = await show(viewOf(1));
    const scroller = transcript.renderRoot.querySelector<HTMLElement>('.scroller');
    const fades = (): string[] =>
      ['::before', '::after'].map((edge) => (scroller ? getComputedStyle(scroller, edge).visibility : ''));
    expect(fades()).to.deep.equal(['visible', 'visible']);
    scroller?.focus({ focusVisible: true });
    expect(fades()).to.deep.equal(['hidden', 'hidden']);
  });

  for (const [still, behavior] of [
    [true, 'instant'],
    [false, 'smooth'],
  ] as const)
    it(`scrolls to the end ${behavior === 'smooth' ? 'smoothly' : 'at once where motion is reduced'}`, async () => {
      const { matchMedia } = window;
      window.matchMedia = (query) =>
        query.includes('reduced-motion') ? ({ matches: still } as MediaQueryList) : matchMedia(query);
      const scroller = await fixture<HTMLElement>(html`<div><p></p></div>`);
      const scrolls: unknown[] = [];
      scroller.scrollTo = (options: unknown) => void scrolls.push(options);
      const host = {
        addController: () => undefined,
        removeController: () => undefined,
        requestUpdate: () => undefined,
        updateComplete: Promise.resolve(true),
      };
      const follow = new AutoScrollController(host, () => null);
      follow.attach(scroller, scroller.querySelector('p')!);
      follow.scrollToEnd();
      follow.hostDisconnected();
      window.matchMedia = matchMedia;
      expect(scrolls).to.deep.equal([{ top: scroller.scrollHeight, behavior }]);
    });
});
