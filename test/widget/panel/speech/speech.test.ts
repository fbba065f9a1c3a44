import { expect } from '@open-wc/testing';
import { AgentChat } from '../../../../src/widget/element/agent-chat.ts';
import { freshTurn, RunService, until } from '../../chat-fixture.ts';
import { deep, deepAll } from '../../content/item-fixture.ts';

/** Stands in for the browser's speech recognition. */
class FakeRecognition extends EventTarget {
  static latest: FakeRecognition | undefined;
  static state = 'unavailable';
  static available(): Promise<string> {
    return Promise.resolve(FakeRecognition.state);
  }

  lang = '';
  processLocally = false;
  calls: string[] = [];

  constructor() {
    super();
    FakeRecognition.latest = this;
  }

  start(): void {
    this.calls.push('start');
  }

  stop(): void {
    this.calls.push('stop');
    if (this.calls.includes('start')) this.dispatchEvent(new Event('end'));
  }

  abort(): void {
    this.calls.push('abort');
    this.dispatchEvent(new Event('end'));
  }

  hear(...parts: readonly string[]): void {
    const results = parts.map((transcript) => [{ transcript }]);
    this.dispatchEvent(Object.assign(new Event('result'), { results }));
  }

  fail(error: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { error }));
    this.dispatchEvent(new Event('end'));
  }
}

class FakeUtterance {
  voice: unknown;
  lang = '';
  onend: (() => void) | undefined;
  onerror: ((event: { readonly error: string }) => void) | undefined;
  constructor(readonly text: string) {}
}

/** Stands in for the browser's speech synthesis. */
class FakeSynthesis extends EventTarget {
  voices: readonly { readonly lang: string; readonly localService: boolean }[] = [
    { lang: 'en-US', localService: true },
  ];
  spoken: FakeUtterance[] = [];
  cancelled = 0;

  getVoices(): unknown {
    return this.voices;
  }

  speak(utterance: FakeUtterance): void {
    this.spoken.push(utterance);
  }

  cancel(): void {
    this.cancelled += 1;
  }
}

/** Replaces properties of the window. Returns a function that puts the former ones back. */
function replace(values: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(window, name)] as const,
  );
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(window, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(window, name, descriptor);
      else Reflect.deleteProperty(window, name);
    }
  };
}

describe('speech', () => {
  let chat: AgentChat;
  let service: RunService;
  let synthesis: FakeSynthesis;
  let restore: () => void;
  const spoken = (): string =>
    deep(chat, 'agent-chat-panel').shadowRoot?.querySelector('[aria-live]')?.textContent ?? '';
  const field = (): HTMLTextAreaElement => deep<HTMLTextAreaElement>(chat, 'textarea');
  const inside = (tag: string): HTMLButtonElement | null | undefined =>
    deepAll(chat, tag)[0]?.shadowRoot?.querySelector('button');
  const microphone = (): HTMLButtonElement | null | undefined => inside('agent-chat-dictation');
  const note = (): string =>
    (deepAll(chat, 'agent-chat-dictation')[0]?.shadowRoot?.querySelector('p')?.textContent ?? '')
      .replace(/\s+/g, ' ')
      .trim();
  const write = (text: string): void => {
    field().value = text;
    field().dispatchEvent(new InputEvent('input'));
  };

  async function begin(settings: Partial<AgentChat> = {}): Promise<void> {
    chat = new AgentChat();
    Object.assign(chat, {
      agentId: 'harbour',
      token: 'none',
      storage: 'none',
      lang: 'en',
      speech: 'on',
      ...settings,
    });
    document.body.append(chat);
    await chat.show();
    await until(() => deepAll(chat, 'textarea').length > 0);
  }

  async function listen(): Promise<FakeRecognition> {
    await until(() => microphone());
    microphone()?.click();
    await until(() => FakeRecognition.latest?.calls.includes('start'));
    return FakeRecognition.latest!;
  }

  beforeEach(() => {
    service = new RunService(() => freshTurn(['The **tide** is high. ', 'Come at six.']));
    synthesis = new FakeSynthesis();
    FakeRecognition.latest = undefined;
    FakeRecognition.state = 'unavailable';
    restore = replace({
      SpeechRecognition: FakeRecognition,
      speechSynthesis: synthesis,
      SpeechSynthesisUtterance: FakeUtterance,
    });
  });
  afterEach(() => {
    chat.remove();
    service.stop();
    restore();
  });

  it('is not there unless the page asks for it', async () => {
    await begin({ speech: 'off' });
    await chat.send('Ahoy');
    expect(deepAll(chat, 'agent-chat-dictation')).to.have.length(0);
    expect(deepAll(chat, 'agent-chat-read-aloud')).to.have.length(0);
  });

  it('writes what is said at the caret, uncertain words too, and sends nothing by itself', async () => {
    await begin();
    write('Hello there');
    field().setSelectionRange(5, 5);
    const recognition = await listen();
    expect(recognition.lang).to.equal('en');
    expect(microphone()?.getAttribute('aria-pressed')).to.equal('true');
    recognition.hear('dear hub');
    expect(field().value).to.equal('Hello dear hub there');
    recognition.hear('dear', ' harbour');
    expect(field().value).to.equal('Hello dear harbour there');
    await until(() => chat.conversation?.messages.length === 0);
    microphone()?.click();
    expect(recognition.calls).to.include('stop');
    await until(() => microphone()?.getAttribute('aria-pressed') === 'false');
    expect(service.posted).to.have.length(0);
    expect(note()).to.equal('');
  });

  it('speaks the language of the panel, also when that changes', async () => {
    await begin({ lang: 'de' });
    await chat.send('Ahoi');
    const labels = (): (string | null | undefined)[] =>
      [microphone(), inside('agent-chat-read-aloud')].map((button) => button?.getAttribute('aria-label'));
    await until(() => labels().join() === 'Diktieren,Vorlesen');
    chat.lang = 'fr';
    await until(() => labels().join() === 'Dicter,Lire à voix haute');
    expect((await listen()).lang).to.equal('fr');
  });

  it('says where the voice goes, and keeps it on the device where it can', async () => {
    await begin();
    const remote = await listen();
    expect(remote.processLocally).to.equal(false);
    await until(() => note().includes('speech service turns your voice into text'));
    remote.stop();
    FakeRecognition.latest = undefined;
    FakeRecognition.state = 'available';
    const local = await listen();
    expect(local.processLocally).to.equal(true);
    await until(() => note() === 'Listening… Your voice stays on this device.');
    await until(() => spoken().includes('Your voice stays on this device.'));
  });

  it('stops when one types, sends, presses Escape or closes the chat', async () => {
    await begin();
    const typed = await listen();
    typed.hear('one');
    write('one more');
    expect(typed.calls).to.include('abort');
    FakeRecognition.latest = undefined;
    const sent = await listen();
    sent.hear('two');
    field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }));
    await until(() => service.posted.length === 1);
    expect(sent.calls).to.include('abort');
    FakeRecognition.latest = undefined;
    const escaped = await listen();
    microphone()?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true }),
    );
    expect(escaped.calls).to.include('stop');
    expect(chat.open).to.equal(true);
    FakeRecognition.latest = undefined;
    const closed = await listen();
    await chat.hide();
    expect(closed.calls).to.include('abort');
  });

  it('does not begin to listen when it is stopped before', async () => {
    await begin();
    await until(() => microphone());
    microphone()?.click();
    microphone()?.click();
    const first = FakeRecognition.latest;
    FakeRecognition.latest = undefined;
    await listen();
    expect(first?.calls).not.to.include('start');
  });

  for (const [error, text] of [
    ['not-allowed', 'The microphone is blocked.'],
    ['audio-capture', 'No microphone was found.'],
    ['language-not-supported', 'Dictation is not available in this language.'],
    ['no-speech', 'Nothing was heard.'],
    ['network', 'Dictation stopped.'],
  ] as const) {
    it(`explains the error ${error}, and keeps the text`, async () => {
      await begin();
      write('kept');
      const recognition = await listen();
      recognition.hear('and this');
      recognition.fail(error);
      await until(() => note().startsWith(text));
      await until(() => spoken().includes(text));
      expect(field().value).to.equal('kept and this');
      expect(microphone()?.getAttribute('aria-pressed')).to.equal('false');
    });
  }

  it('shows no microphone where the browser has no recognition', async () => {
    restore();
    restore = replace({
      SpeechRecognition: undefined,
      webkitSpeechRecognition: undefined,
      speechSynthesis: synthesis,
    });
    await begin();
    await until(() => deepAll(chat, 'agent-chat-dictation')[0]?.matches(':defined'));
    await until(() => deepAll(chat, 'agent-chat-composer').length > 0);
    expect(microphone()).to.equal(null);
  });

  it('reads an answer aloud without its marks, sentence by sentence, and stops', async () => {
    await begin();
    await chat.send('Ahoy');
    await until(() => inside('agent-chat-read-aloud'));
    const speaker = inside('agent-chat-read-aloud')!;
    expect(speaker.getAttribute('aria-label')).to.equal('Read aloud');
    speaker.click();
    await until(() => synthesis.spoken.length === 2);
    expect(synthesis.spoken.map(({ text }) => text)).to.deep.equal(['The tide is high.', 'Come at six.']);
    await until(() => speaker.getAttribute('aria-label') === 'Stop reading aloud');
    const before = synthesis.cancelled;
    speaker.click();
    expect(synthesis.cancelled).to.equal(before + 1);
    await until(() => speaker.getAttribute('aria-pressed') === 'false');
    speaker.click();
    await until(() => synthesis.spoken.length === 4);
    synthesis.spoken.at(-1)?.onend?.();
    await until(() => speaker.getAttribute('aria-pressed') === 'false');
  });

  it('reads on when the end of an earlier reading is reported late', async () => {
    await begin();
    await chat.send('Ahoy');
    await until(() => inside('agent-chat-read-aloud'));
    const speaker = inside('agent-chat-read-aloud')!;
    speaker.click();
    await until(() => synthesis.spoken.length === 2);
    speaker.click(); // stops it
    speaker.click();
    await until(() => synthesis.spoken.length === 4);
    const { cancelled } = synthesis;
    synthesis.spoken[1]?.onend?.();
    expect(synthesis.cancelled).to.equal(cancelled);
    synthesis.spoken[3]?.onend?.();
    expect(synthesis.cancelled).to.equal(cancelled + 1);
  });

  it('says that there is no voice for a language, or that reading failed', async () => {
    await begin();
    synthesis.voices = [{ lang: 'fi-FI', localService: true }];
    await chat.send('Ahoy');
    await until(() => inside('agent-chat-read-aloud'));
    inside('agent-chat-read-aloud')?.click();
    await until(() => spoken().includes('Your device has no voice for this language.'));
    expect(synthesis.spoken).to.have.length(0);
    synthesis.voices = [{ lang: 'en-GB', localService: false }];
    inside('agent-chat-read-aloud')?.click();
    await until(() => synthesis.spoken.length > 0);
    synthesis.spoken[0]?.onerror?.({ error: 'synthesis-failed' });
    await until(() => spoken().includes('Reading aloud failed.'));
    expect(inside('agent-chat-read-aloud')?.getAttribute('aria-pressed')).to.equal('false');
  });
});
