import { expect } from '@open-wc/testing';
import { plainTurn, type WireEvent } from '../../../tools/wire-events.ts';
import {
  ChatFixture,
  focusedElement,
  fresh,
  freshItems,
  freshTurn,
  RunService,
  streamOf,
  until,
  visibleRatio,
} from '../../chat-fixture.ts';
import { textOf } from '../../content/item-fixture.ts';
import { emulateTouch, emulateWindow, endEmulation, touch, turnWheel, type Point } from '../../emulation.ts';

const paragraph = (number: number): string =>
  `Paragraph ${number}: the tide turns at noon, and until then every berth at the inner pier can be reached without help.\n\n`;
const paragraphs = (count: number): string[] =>
  Array.from({ length: count }, (_none, at) => paragraph(at + 1));

/** An answer whose pieces go out one by one, as the test wants. */
class SteppedAnswer {
  readonly #events: WireEvent[];
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** @param before the kind of event before which the answer waits for the first step */
  constructor(
    events: readonly WireEvent[],
    readonly before = 'message.delta',
  ) {
    this.#events = [...events];
  }

  respond(): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#stream = stream;
        this.#send(() => this.#events[0]?.event !== this.before);
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  /** Sends so many pieces, and with the last one the end. */
  step(count: number): void {
    let left = count;
    this.#send(() => left > 0 && (left -= this.#events[0]?.event === 'message.delta' ? 1 : 0) >= 0);
    if (this.#events[0]?.event !== 'message.delta') this.#send(() => true);
  }

  #send(isNext: () => boolean): void {
    while (this.#events.length > 0 && isNext()) {
      const { id, event, data } = this.#events.shift()!;
      const record = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
      this.#stream?.enqueue(new TextEncoder().encode(record));
    }
    if (this.#events.length === 0) this.#stream?.close();
  }
}

/** Waits until the next frame is painted: what a `ResizeObserver` does comes before that, and after the frame's callbacks. */
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

describe('how the conversation scrolls', function () {
  this.timeout(30_000);
  let service: RunService;
  let chat: ChatFixture;
  let answer: SteppedAnswer;
  /** The next answer breaks at its end. */
  let breaks: boolean;
  beforeEach(async () => {
    await emulateWindow(1280, 720);
    breaks = false;
    service = new RunService(({ message }) => {
      const text = message.content[0]?.text ?? '';
      if (text.includes('very fast')) return streamOf(fresh(plainTurn(paragraphs(3000))), { pauseMs: 2 });
      const length = text.includes('long') ? 40 : 4;
      if (text.includes('pause'))
        return freshItems([
          { response_type: 'text', text: paragraphs(length).join('') },
          { response_type: 'pause', time: 300 },
          {
            response_type: 'forms',
            json_schema: { type: 'object', properties: { boat: { type: 'string' } } },
          },
        ]);
      const events = freshTurn(/long|screen/.test(text) ? paragraphs(length) : ['A short answer.']);
      const inThread = events.map((event) => ({
        ...event,
        data: { ...event.data, thread_id: service.threadId },
      }));
      if (breaks) {
        breaks = false;
        const [started] = inThread;
        const failed = {
          id: `${Date.now()}-99`,
          event: 'run.failed',
          data: { ...started?.data, error: 'stopped' },
        };
        return [...inThread.slice(0, -4), failed];
      }
      if (!text.includes('by steps')) return inThread;
      answer = new SteppedAnswer(inThread, text.includes('late') ? 'message.started' : undefined);
      return answer.respond();
    });
    chat = ChatFixture.begin();
    await chat.open();
    await chat.still();
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  const scroller = (): HTMLElement => chat.find('agent-chat-transcript .scroller');
  const isAtEnd = (): boolean => {
    const { scrollHeight, scrollTop, clientHeight } = scroller();
    return scrollHeight - scrollTop - clientHeight < 24;
  };
  const middle = (): Point => {
    const { x, y, width, height } = scroller().getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const wheel = (by: number): Promise<void> => turnWheel(middle(), by);
  const pills = (): HTMLElement[] => chat.buttons('New below');
  const ask = async (text: string): Promise<void> => {
    const before = service.posted.length;
    chat.say(text);
    await until(() => service.posted.length === before + 1);
  };
  const shows = (number: number): Promise<void> =>
    until(() => chat.lastAnswer.includes(`Paragraph ${number}`));

  /** Distance of the newest question from the top of the view, in pixels. */
  const gap = (): number =>
    chat.all('agent-chat-visitor-message').at(-1)!.getBoundingClientRect().y -
    scroller().getBoundingClientRect().y;
  const isAtQuestion = (): boolean => gap() >= 0 && gap() < 40;

  /** Goes to the end by the button. */
  async function goToEnd(): Promise<void> {
    await until(() => pills().length === 1);
    // the wheel has no effect in the last frames of a smooth scroll
    const isOver = new Promise((resolve) =>
      scroller().addEventListener('scrollend', resolve, { once: true }),
    );
    pills()[0]?.click();
    await isOver;
    await until(() => {
      const { scrollHeight, scrollTop, clientHeight } = scroller();
      return scrollHeight - scrollTop - clientHeight < 1;
    });
    await until(() => pills().length === 0);
  }

  /** Asks for a long answer by steps, lets the first 20 through, and goes to their end. */
  async function follow(): Promise<void> {
    await ask('A long one by steps');
    answer.step(20);
    await shows(20);
    await goToEnd();
  }

  it('the visitor’s message moves near the top, and the answer grows below it', async () => {
    chat.say('A long one first');
    await chat.answered(1);
    chat.say('And a short one');
    await chat.answered(2);
    await until(isAtQuestion);
    const prompt = chat.all('agent-chat-visitor-message').at(-1)!.getBoundingClientRect();
    expect(chat.all('.answer').at(-1)!.getBoundingClientRect().y).to.be.above(prompt.bottom);
  });

  it('a message that waited for an answer moves near the top, too', async () => {
    await ask('A long one by steps');
    answer.step(20);
    await shows(20);
    chat.say('And a short one');
    await until(() => chat.all('agent-chat-turn').length === 2);
    answer.step(20);
    await chat.answered(2);
    await until(isAtQuestion);
  });

  it('a question moves near the top although another message comes below it at the same moment', async () => {
    let thread: ReadableStreamDefaultController<Uint8Array> | undefined;
    service.other = ({ url }) => {
      if (!url.pathname.endsWith('/events')) return undefined;
      const body = new ReadableStream<Uint8Array>({ start: (stream) => void (thread = stream) });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    chat.say('A long one first');
    await chat.answered(1);
    await until(() => thread);
    const { reply } = service;
    service.reply = (run, number) => {
      const message = { role: 'assistant', content: [{ response_type: 'text', text: 'Something else.' }] };
      const event = `event: message.created\ndata: ${JSON.stringify({ message })}\nid: 1-1\n\n`;
      thread?.enqueue(new TextEncoder().encode(event));
      return reply(run, number);
    };
    await ask('A long one by steps, but late');
    await until(() => chat.lastAnswer === 'Something else.');
    await until(isAtQuestion);
    answer.step(20);
    await until(() => pills().length === 1);
    expect(isAtQuestion()).to.equal(true);
  });

  it('a message that waits moves nothing above it while the answer before it grows', async () => {
    await ask('A screen by steps');
    answer.step(1);
    await shows(1);
    chat.say('And a short one');
    await until(() => chat.turns.length === 2);
    const question = (): number => chat.find('agent-chat-visitor-message').getBoundingClientRect().y;
    await chat.still();
    await painted();
    const tops = [question()];
    for (const number of [2, 3]) {
      answer.step(1);
      while (!chat.lastAnswer.includes(`Paragraph ${number}`)) {
        await painted();
        tops.push(question());
      }
      await painted();
      tops.push(question());
    }
    expect([...new Set(tops)]).to.have.length(1);
  });

  it('an answer that outgrows the view leaves its question at the top, and a button leads on', async () => {
    chat.say('A long one first');
    await chat.answered(1);
    await ask('A long one by steps');
    answer.step(1);
    await shows(1);
    await until(() => isAtQuestion() && pills().length === 0);
    answer.step(19);
    await shows(20);
    await until(() => pills().length === 1);
    const place = gap();
    expect(isAtQuestion()).to.equal(true);
    answer.step(10);
    await shows(30);
    expect(gap()).to.equal(place);
    await goToEnd();
    answer.step(5);
    await shows(35);
    await until(isAtEnd);
  });

  for (const rest of [12, 20])
    it(`an answer that is ${rest} px taller than the view is shown with its actions when it ends`, async () => {
      const bottom = (selector: string): number => chat.all(selector).at(-1)!.getBoundingClientRect().bottom;
      chat.say('A short one first');
      await chat.answered(1);
      await ask('A screen');
      await chat.answered(2);
      await until(isAtQuestion);
      // the view becomes so high that this answer, asked for again, does not quite fit in below its question
      const height = bottom('.turn') - chat.all('.prompt').at(-1)!.getBoundingClientRect().top;
      const view = Math.ceil(height) + 16 + 8 - rest;
      await emulateWindow(1280, innerHeight + view - scroller().clientHeight);
      await until(() => scroller().clientHeight === view);
      await ask('A screen by steps');
      answer.step(3);
      await shows(3);
      await until(isAtQuestion);
      answer.step(1);
      await chat.answered(3);
      await until(() => bottom('agent-chat-turn-actions') <= scroller().getBoundingClientRect().bottom);
      expect(isAtEnd()).to.equal(true);
      expect(pills()).to.deep.equal([]);
    });

  it('a long answer that comes while the question slides in leaves it where it belongs', async () => {
    chat.say('A long one first');
    await chat.answered(1);
    await ask('A long one by steps, but late');
    const turn = (): Element | undefined => chat.all('agent-chat-turn').at(-1);
    const slides = (): Animation[] => turn()?.shadowRoot?.getAnimations() ?? [];
    await until(() => turn()?.matches('.entering') && slides().length > 0);
    const [slide] = slides();
    slide?.pause();
    if (slide) slide.currentTime = 0;
    answer.step(20);
    await until(() => pills().length === 1);
    slide?.finish();
    await until(() => Math.round(gap()) === 16);
  });

  it('a form that a pause delays leaves a long answer before it at its beginning', async () => {
    chat.say('A short one first');
    await chat.answered(1);
    await ask('A long one, a pause and a form');
    await until(() => pills().length === 1);
    expect(isAtQuestion()).to.equal(true);
    await until(() => chat.all('agent-chat-form').at(-1)?.clientHeight);
    await chat.still();
    expect(isAtQuestion()).to.equal(true);
  });

  it('in a low view, as above a phone’s keyboard, the button that leads on leaves room to read', async () => {
    const fade = (): number => parseFloat(getComputedStyle(scroller(), '::after').height);
    await ask('A long one by steps');
    answer.step(20);
    await until(() => pills().length === 1);
    expect(pills()[0]?.offsetWidth).to.be.above(80);
    expect(fade()).to.be.above(60);
    await emulateWindow(390, 400);
    await until(() => scroller().clientHeight < 280 && pills().length === 1);
    const [pill] = pills();
    expect(pill?.offsetWidth).to.be.below(50);
    expect(pill?.querySelector('svg')?.clientWidth).to.equal(18);
    expect(fade()).to.equal(16);
    const { right } = pill!.getBoundingClientRect();
    expect(scroller().getBoundingClientRect().right - right).to.be.within(10, 32);
    await goToEnd();
  });

  it('in a low view, the button that leads on covers no button of an editor that has the focus', async () => {
    await emulateWindow(390, 844);
    chat.say('A long one first');
    await chat.answered(1);
    await until(() => pills().length === 1);
    chat.button('Edit').click();
    await until(() => focusedElement()?.matches('textarea') && chat.buttons('Send again').length === 1);
    await emulateWindow(390, 360);
    await until(() => pills().every((pill) => pill.getClientRects().length === 0));
    chat.composer.focus();
    await until(() => pills()[0]?.getClientRects().length === 1);
  });

  it('the button that leads on is whole, whatever it says', async () => {
    await ask('A long one by steps');
    answer.step(20);
    await until(() => pills().length === 1);
    chat.host.strings = {
      'transcript.new-below': 'There is more of this answer further down in this conversation',
    };
    await until(() => chat.buttons(/There is more/).length === 1);
    const pill = chat.button(/There is more/).getBoundingClientRect();
    const view = scroller().getBoundingClientRect();
    expect(pill.left).to.be.at.least(view.left);
    expect(pill.right).to.be.at.most(view.right);
  });

  it('fades where text is hidden, at each end, and animates nothing while an answer grows', async () => {
    const fades = (): string[] =>
      ['::before', '::after'].map((end) => getComputedStyle(scroller(), end).opacity);
    const shows = (above: string, below: string): Promise<void> =>
      until(() => fades().join() === `${above},${below}`);
    await ask('A long one by steps');
    answer.step(20);
    await until(() => pills().length === 1);
    await shows('1', '1');
    answer.step(10);
    await chat.still();
    expect(scroller().getAnimations({ subtree: true })).to.deep.equal([]);
    scroller().scrollTop = 0;
    await shows('0', '1');
    scroller().scrollTop = scroller().scrollHeight;
    await shows('1', '0');
  });

  it('nothing of a long answer stays on the home page of a new conversation', async () => {
    await ask('A long one by steps');
    answer.step(20);
    await until(() => pills().length === 1);
    scroller().scrollTop = 200;
    const fade = (): string => getComputedStyle(scroller(), '::before').opacity;
    await until(() => fade() === '1');
    chat.host.newThread();
    await until(() => chat.all('agent-chat-welcome').length === 1);
    await chat.still();
    expect(pills()).to.have.length(0);
    expect(scroller().scrollHeight).to.equal(scroller().clientHeight);
    await until(() => fade() === '0');
  });

  it('of a question taller than half the view, the last lines stay above the answer', async () => {
    await ask(`A long one by steps. ${'And there is more to say about it. '.repeat(60)}`);
    answer.step(20);
    await shows(20);
    await until(() => pills().length === 1);
    const { bottom } = chat.all('agent-chat-visitor-message').at(-1)!.getBoundingClientRect();
    const view = scroller().getBoundingClientRect();
    expect(bottom - view.top).to.be.within(view.height * 0.3, view.height * 0.55);
  });

  it('a reader at the end of an answer stays there when the window gets lower', async () => {
    await ask('A long one by steps');
    answer.step(3);
    await shows(3);
    await until(isAtQuestion);
    expect(isAtEnd()).to.equal(true);
    await emulateWindow(1280, 420);
    await until(() => scroller().clientHeight < 300);
    for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
    expect(isAtEnd()).to.equal(true);
    expect(pills()).to.have.length(0);
  });

  it('it follows while the reader is at the end', async () => {
    await follow();
    answer.step(5);
    await shows(25);
    await until(isAtEnd);
  });

  for (const before of [0, 2]) {
    it(`a long answer that broke and is retried is read from its question again, after ${before} other turns`, async () => {
      for (let turn = 1; turn <= before; turn += 1) {
        chat.say('A long one first');
        await chat.answered(turn);
      }
      breaks = true;
      await ask('A long one by steps');
      await goToEnd();
      expect(await visibleRatio(chat.button('Retry'))).to.equal(1);
      chat.button('Retry').click();
      await until(() => service.posted.length === before + 2);
      for (let steps = 0; steps < 5; steps += 1) {
        answer.step(4);
        await shows(steps * 4 + 3);
        await until(isAtQuestion);
      }
      await until(() => pills().length === 1);
    });
  }

  it('it leaves a reader who scrolled up alone, shows that there is more below, and scrolls there on request', async () => {
    await follow();
    await wheel(-600);
    await until(() => !isAtEnd());
    const { scrollTop, scrollHeight } = scroller();
    answer.step(10);
    await shows(30);
    await until(() => pills().length === 1);
    expect(scroller().scrollHeight).to.be.above(scrollHeight);
    expect(Math.abs(scroller().scrollTop - scrollTop)).to.be.below(2);
    pills()[0]?.click();
    await until(isAtEnd);
    await until(() => pills().length === 0);
    answer.step(5);
    await shows(35);
    await until(isAtEnd);
  });

  it('a reader who scrolled up is told about a short answer, but not about other growth', async () => {
    chat.say('A long one first');
    await chat.answered(1);
    await ask('A short one by steps');
    await wheel(-900);
    await until(() => !isAtEnd());
    // steps that are opened, say
    chat.turns[0]!.style.paddingBottom = '120px';
    for (let frame = 0; frame < 20; frame += 1) await new Promise(requestAnimationFrame);
    expect(pills()).to.have.length(0);
    // it comes into the room that is kept for it: nothing grows
    answer.step(1);
    await until(() => pills().length === 1);
    pills()[0]?.click();
    await until(() => pills().length === 0);
    await until(() => chat.lastAnswer === 'A short answer.');
  });

  it('scrolling back to the end follows again', async () => {
    await follow();
    await wheel(-400);
    await until(() => !isAtEnd());
    await wheel(5000);
    await until(isAtEnd);
    answer.step(5);
    await shows(25);
    await until(isAtEnd);
  });

  /** Moves a finger down over the window, a frame a step. */
  async function drag(by: number, step: number): Promise<void> {
    const { x, y } = middle();
    await touch('touchStart', { x, y });
    for (let moved = step; moved <= by; moved += step) {
      await touch('touchMove', { x, y: y + moved });
      await new Promise(requestAnimationFrame);
    }
    await touch('touchEnd');
  }

  async function askFast(): Promise<void> {
    await emulateTouch();
    await ask('A long one, very fast');
    await until(() => scroller().scrollHeight > 2_000);
  }

  for (const [name, move] of Object.entries({
    'a finger': () => drag(60, 3),
    'a slow finger': () => drag(24, 0.5),
    'a trackpad': async () => {
      for (let moved = 0; moved < 60; moved += 3) await wheel(-3);
    },
  })) {
    it(`${name} leaves the end of a very fast answer, and the text in view stays`, async () => {
      await askFast();
      await goToEnd();
      await move();
      const { scrollTop, scrollHeight } = scroller();
      await until(() => scroller().scrollHeight > scrollHeight + 2_000);
      expect(isAtEnd()).to.equal(false);
      expect(Math.abs(scroller().scrollTop - scrollTop)).to.be.below(60); // a smooth scroll may still end
    });
  }

  it('a very fast answer stops moving under a finger, and is followed again after it lifts', async () => {
    await askFast();
    await goToEnd();
    await touch('touchStart', middle());
    const { scrollTop, scrollHeight } = scroller();
    await until(() => scroller().scrollHeight > scrollHeight + 1_000);
    expect(scroller().scrollTop).to.equal(scrollTop);
    await touch('touchEnd');
    await until(isAtEnd);
    const lifted = scroller().scrollHeight;
    await until(() => scroller().scrollHeight > lifted + 1_000);
    await until(isAtEnd);
  });

  it('a finger that lifts in the frame in which it scrolls up stops following', async () => {
    await askFast();
    await goToEnd();
    let target: EventTarget | undefined;
    const onTouch = (event: Event): void => void (target = event.composedPath()[0]);
    scroller().addEventListener('touchstart', onTouch, { once: true });
    await touch('touchStart', middle());
    const { scrollHeight } = scroller();
    await until(() => scroller().scrollHeight > scrollHeight + 1_000);
    scroller().scrollTop -= 60;
    const { scrollTop } = scroller();
    target?.dispatchEvent(new TouchEvent('touchend')); // before the scroll event
    await touch('touchEnd');
    const lifted = scroller().scrollHeight;
    await until(() => scroller().scrollHeight > lifted + 1_000);
    expect(scroller().scrollTop).to.equal(scrollTop);
  });

  it('a tap of a reader near the end moves nothing, so that it meets its button', async () => {
    await emulateTouch();
    await follow();
    await wheel(-400);
    await until(() => !isAtEnd());
    const near = scroller().scrollHeight - scroller().clientHeight - 20;
    scroller().scrollTop = near;
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    await touch('touchStart', middle());
    await touch('touchEnd');
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    expect(scroller().scrollTop).to.be.closeTo(near, 1);
    // it is followed from there
    answer.step(5);
    await until(isAtEnd);
  });

  it('text in view does not move while blocks finish', async () => {
    await follow();
    await wheel(-500);
    await until(() => !isAtEnd());
    const frame = scroller().getBoundingClientRect();
    const lines = chat.all('agent-chat-markdown p').filter((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top >= frame.top && bottom <= frame.bottom;
    });
    const places = lines.map(() => new Set<number>());
    let isSampling = true;
    const sample = (): void => {
      for (const [index, line] of lines.entries())
        places[index]?.add(Math.round(line.getBoundingClientRect().top));
      if (isSampling) requestAnimationFrame(sample);
    };
    sample();
    answer.step(20);
    await chat.answered(1);
    isSampling = false;
    expect(places.length).to.be.above(2);
    for (const seen of places) expect([...seen]).to.have.length(1);
  });

  it('a button loads earlier turns, and the text in view stays in place', async () => {
    for (let count = 0; count < 60; count += 1) await chat.host.send(`Question ${count}`);
    await until(() => chat.turns.length >= 10);
    await until(() => chat.turns.at(-1)?.shadowRoot?.querySelector('agent-chat-turn-actions'));
    const shown = chat.turns.length;
    expect(shown).to.be.below(60);
    // until it stays there: the last turn may still settle, which is followed to the end
    await until(async () => {
      scroller().scrollTo(0, 0);
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return scroller().scrollTop === 0 && chat.buttons('Show earlier').length === 1;
    });
    const [first] = chat.turns;
    const nameOf = (turn: HTMLElement): string =>
      textOf(turn.shadowRoot!.querySelector('agent-chat-visitor-message')!);
    const [name, before] = [nameOf(first!), first!.getBoundingClientRect().y];
    chat.button('Show earlier').focus();
    chat.button('Show earlier').click();
    await until(() => chat.turns.length === 60);
    await until(() => chat.turns[59 - shown]?.shadowRoot?.contains(focusedElement()));
    const same = chat.turns[60 - shown]!;
    expect(nameOf(same)).to.equal(name);
    expect(Math.abs(same.getBoundingClientRect().y - before)).to.be.below(48);
  });
});
