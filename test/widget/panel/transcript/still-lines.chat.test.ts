import { expect } from '@open-wc/testing';
import { richTable, richText, richTurn } from '../../../tools/rich-answer.ts';
import { ChatFixture, fresh, RunService, streamOf, until } from '../../chat-fixture.ts';
import { emulateWindow, endEmulation, turnWheel } from '../../emulation.ts';

/** What was seen in one frame. */
interface Frame {
  readonly top: number;
  readonly height: number;
  /** Of each finished block, by its number: how far it is from the top of the window, and of the content. */
  readonly lines: Readonly<Record<string, readonly [number, number]>>;
}

describe('lines that are being read', function () {
  this.timeout(40_000);
  let service: RunService;
  let chat: ChatFixture;
  let frames: Frame[];
  let isSampling: boolean;
  beforeEach(async () => {
    await emulateWindow(1280, 720);
    service = new RunService((_run, number) =>
      streamOf(fresh(richTurn(richText + richTable + richText)), { pauseMs: number === 1 ? 1 : 14 }),
    );
    frames = [];
    isSampling = true;
    chat = ChatFixture.begin({ storage: 'none' });
    await chat.open();
    chat.say('A first one, so that there is something above');
    await chat.answered(1);
    chat.say('What should I know?');
    await until(() => chat.turns.length === 2);
  });
  afterEach(async () => {
    isSampling = false;
    chat.remove();
    service.stop();
    await endEmulation();
  });

  /** Samples every frame: the newest turn's prompt, and every block of its answer but the last, which grows. */
  function sample(): void {
    if (isSampling) requestAnimationFrame(sample);
    const turn = chat.turns.at(-1)?.shadowRoot;
    const scroller = chat.find('agent-chat-transcript .scroller');
    const content = chat.find('agent-chat-transcript .content');
    // what comes up into its place is no line that is read yet
    if (!turn || turn.getAnimations().length > 0) return;
    const markdown = turn.querySelector('agent-chat-markdown');
    const blocks = [...(markdown?.shadowRoot?.querySelectorAll('*') ?? [])].filter((each) =>
      each.matches('p, li, h2, h3, h4, pre, tr, blockquote, hr'),
    );
    const parts = [turn.querySelector('agent-chat-visitor-message'), ...blocks.slice(0, -1)];
    const start = content.getBoundingClientRect().top;
    const lines: Record<string, readonly [number, number]> = {};
    parts.forEach((part, index) => {
      const top = part?.getBoundingClientRect().top ?? 0;
      lines[index] = [top, top - start];
    });
    frames.push({ top: scroller.scrollTop, height: scroller.scrollHeight, lines });
  }

  /** Samples until the answer is complete. */
  async function watch(): Promise<void> {
    sample();
    await chat.answered(2);
    isSampling = false;
  }

  /** Lines that did not stay where they were, counted from the top of the window (0) or of the content (1). */
  function moved(seen: readonly Frame[], from: 0 | 1): string[] {
    const places = new Map<string, number[]>();
    for (const { lines } of seen)
      for (const [line, place] of Object.entries(lines))
        places.set(line, [...(places.get(line) ?? []), place[from]]);
    expect(places.size).to.be.above(5);
    // a place between two pixels may be told as either
    return [...places]
      .filter(([, all]) => Math.max(...all) - Math.min(...all) > 0.75)
      .map(([line, all]) => `${line}: ${[...new Set(all)].join(', ')}`);
  }

  it('stay below the question until the view is full; then all lines move up by the added height', async () => {
    await until(() => chat.lastAnswer.includes('Before'));
    await watch();
    expect(moved(frames, 1)).to.deep.equal([]);
    const full = frames.findIndex(({ height }) => height > (frames[0]?.height ?? 0) + 1);
    expect(full).to.be.above(4);
    expect(frames.length - full).to.be.above(4);
    expect(moved(frames.slice(0, full), 0)).to.deep.equal([]);
    for (const [index, { top, height }] of frames.entries()) {
      const [earlier, before] = [frames[index - 3], frames[index - 1]];
      if (!earlier || !before) continue;
      expect(top, `frame ${index}`).to.be.at.least(before.top - 1);
      // the view follows what was added one frame later, two on a busy machine
      expect(top - before.top, `frame ${index}`).to.be.at.most(height - earlier.height + 1);
    }
  });

  for (const reached of ['Call the lock', 'Paragraph 2']) {
    it(`stay for a reader who scrolled up after “${reached}” while text is added below`, async () => {
      await until(() => chat.lastAnswer.includes(reached));
      const { x, y, width, height } = chat.find('agent-chat-transcript .scroller').getBoundingClientRect();
      await turnWheel({ x: x + width / 2, y: y + height / 2 }, -160);
      // the wheel has been turned when twenty frames show the same place
      const scroller = chat.find('agent-chat-transcript .scroller');
      for (let same = 0, last = -1; same < 20; same = scroller.scrollTop === last ? same + 1 : 0) {
        last = scroller.scrollTop;
        await new Promise(requestAnimationFrame);
      }
      await watch();
      expect(frames.length).to.be.above(10);
      expect(moved(frames, 0)).to.deep.equal([]);
      expect(new Set(frames.map(({ top }) => Math.round(top))).size).to.equal(1);
    });
  }
});
