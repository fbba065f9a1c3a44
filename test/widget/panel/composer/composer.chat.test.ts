import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  ChatFixture,
  focusedElement,
  freshTurn,
  RunService,
  streamOf,
  until,
  visibleRatio,
} from '../../chat-fixture.ts';
import { emulateWindow, endEmulation } from '../../emulation.ts';

// What a visitor sends with the composer of the whole chat. The agent repeats what it is told.
describe('the composer in a chat', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  beforeEach(async () => {
    await emulateWindow(1280, 720);
    service = new RunService(({ message }) => freshTurn([message.content[0]?.text ?? '']));
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  async function visit(json?: unknown): Promise<void> {
    chat = ChatFixture.begin({}, json);
    await chat.open();
    chat.composer.focus();
  }

  const options = (): string[] => chat.texts('[role=option]');

  it('a second message waits for the first, is shown as waiting, and can be cancelled', async () => {
    service.reply = ({ message }, number) => {
      const text = message.content[0]?.text ?? '';
      return number === 1
        ? streamOf(freshTurn(text.match(/[\s\S]{1,2}/g) ?? []), { pauseMs: 60 })
        : freshTurn([text]);
    };
    await visit();
    const first = 'A first message that takes its time to come back';
    chat.say(first);
    await until(() => chat.lastAnswer.includes('A first'));
    chat.say('Second');
    chat.say('Third');
    const waiting = (): number =>
      chat.texts('agent-chat-visitor-message').filter((text) => text.includes('Waiting to be sent')).length;
    await until(() => waiting() === 2);
    chat.buttons('Remove').at(-1)?.click();
    await until(() => waiting() === 1);
    await until(() => chat.lastAnswer === 'Second');
    expect(service.items.map(({ text }) => text)).to.deep.equal([first, 'Second']);
  });

  it('files can be dropped anywhere on the chat, once the page takes documents', async () => {
    await visit();
    const drag = (type: 'dragover' | 'drop', over: string, file = true): boolean => {
      const data = new DataTransfer();
      if (file) data.items.add(new File(['x'], `${type} on ${over}.txt`));
      else data.setData('text/plain', 'words');
      const options = { dataTransfer: data, bubbles: true, composed: true, cancelable: true };
      return !chat.find(over).dispatchEvent(new DragEvent(type, options));
    };
    expect(drag('drop', 'agent-chat-transcript .scroller')).to.equal(false);
    chat.host.uploadDocument = () => new Promise(() => {});
    await chat.host.updateComplete;
    const box = (): HTMLElement => chat.find('agent-chat-composer .box');
    for (const over of ['agent-chat-transcript .scroller', 'agent-chat-header', 'agent-chat-composer .box']) {
      expect(drag('dragover', over), over).to.equal(true);
      await until(() => box().matches('.dropping'));
      expect(drag('drop', over), over).to.equal(true);
      await until(() => chat.texts('agent-chat-attachments .name').includes(`drop on ${over}.txt`));
      expect(box().matches('.dropping')).to.equal(false);
    }
    expect(drag('dragover', 'agent-chat-header', false), 'words').to.equal(false);
    drag('dragover', 'agent-chat-header');
    await until(() => box().matches('.dropping'));
    await until(() => !box().matches('.dropping')); // the drag has left
  });

  describe('to a service that is busy', () => {
    const waiting = (): string[] =>
      chat.texts('agent-chat-visitor-message').filter((text) => text.includes('Waiting to be sent'));
    const isReady = (): boolean => chat.button('Retry').ariaDisabled !== 'true';

    beforeEach(async () => {
      service.reply = ({ message }, number) =>
        number === 1
          ? Response.json({ detail: 'too many' }, { status: 429, headers: { 'retry-after': '1' } })
          : freshTurn([`An answer to ${message.content[0]?.text}.`]);
      await visit();
      chat.say('First');
      chat.say('Second');
    });

    it('queued messages wait behind a rejected one, which can be sent again', async () => {
      await until(isReady);
      expect(waiting()).to.have.length(1);
      expect(service.items.map(({ text }) => text)).to.deep.equal(['First']);
      chat.button('Retry').click();
      await until(() => chat.lastAnswer === 'An answer to Second.');
      expect(service.items.map(({ text }) => text)).to.deep.equal(['First', 'First', 'Second']);
    });

    it('the delay that it requests continues when the chat is moved', async () => {
      await until(() => chat.button('Retry').ariaDisabled === 'true');
      document.body.prepend(chat.host);
      await until(isReady);
    });
  });

  it('starters on the empty page send their prompt', async () => {
    const starters = [
      { title: 'Opening hours', description: 'Today and tomorrow', prompt: 'When do you open?' },
    ];
    await visit({ starters, welcome: 'Welcome aboard' });
    expect(chat.texts('h3').join()).to.contain('Welcome aboard');
    chat.button(/^Opening hours/).click();
    await until(() => chat.lastAnswer === 'When do you open?');
    expect(chat.texts('.mark time').join()).to.contain('Today');
  });

  it('@ opens the page’s list; the chosen name is sent as a mention', async () => {
    const people = [
      { id: '123e4567-e89b-12d3-a456-426614174000', name: 'Ada Lovelace', type: 'person' },
      {
        id: '123e4567-e89b-12d3-a456-426614174001',
        name: 'Grace Hopper',
        type: 'person',
        description: 'Pier B',
      },
    ];
    await visit({ mentionables: people });
    await sendKeys({ type: 'Ask @gr' });
    await until(() => options().length === 1);
    expect(options()[0]).to.contain('Grace Hopper');
    await sendKeys({ press: 'Enter' });
    await until(() => chat.composer.value === 'Ask @Grace Hopper ');
    await sendKeys({ type: 'please' });
    await sendKeys({ press: 'Enter' });
    await until(() => service.posted.length === 1);
    expect(service.posted[0]?.message['mentions']).to.deep.equal([
      { id: people[1]?.id, name: 'Grace Hopper', type: 'person' },
    ]);
  });

  it('names are offered inside text without spaces, after a full-width @, and without their accents', async () => {
    const people = ['山田太郎', 'José'].map((name, at) => ({
      id: `123e4567-e89b-12d3-a456-42661417400${at}`,
      name,
    }));
    await visit({ mentionables: people });
    await sendKeys({ type: '担当は＠山' });
    await until(() => options().length === 1);
    await sendKeys({ press: 'Enter' });
    await until(() => chat.composer.value === '担当は@山田太郎 ');
    await sendKeys({ type: '(@jose' });
    await until(() => options().join() === 'José');
    chat.write('');
    await sendKeys({ type: 'ada@jo' }); // an address
    await chat.host.updateComplete;
    expect(options()).to.deep.equal([]);
  });

  it('a name inside a longer one is no mention, and one that is written beside it is', async () => {
    const people = ['Ada', 'Ada Lovelace'].map((name, at) => ({
      id: `123e4567-e89b-12d3-a456-42661417400${at}`,
      name,
      type: 'person',
    }));
    await visit({ mentionables: people });
    const choose = async (count: number): Promise<void> => {
      await sendKeys({ type: '@ada' });
      await until(() => options().length === 2);
      for (let at = 0; at < count; at += 1) await sendKeys({ press: 'ArrowDown' });
      await sendKeys({ press: 'Enter' });
    };
    await choose(0);
    chat.write(''); // another person was meant
    await choose(1);
    await sendKeys({ press: 'Enter' });
    await until(() => service.posted.length === 1);
    expect(service.posted[0]?.message['mentions']).to.deep.equal([people[1]]);
    await choose(1);
    await choose(0);
    await sendKeys({ press: 'Enter' });
    await until(() => service.posted.length === 2);
    expect(service.posted[1]?.message['mentions']).to.have.deep.members(people);
  });

  it('Enter and Escape that Safari passes on from an input method choose no name, send nothing and close nothing', async () => {
    await visit({ mentionables: [{ id: '123e4567-e89b-12d3-a456-426614174000', name: '山田太郎' }] });
    await sendKeys({ type: 'Ask @' });
    await until(() => options().length === 1);
    const passOn = async (key: string): Promise<void> => {
      const keys = { bubbles: true, composed: true, cancelable: true };
      chat.composer.dispatchEvent(new KeyboardEvent('keydown', { ...keys, key, keyCode: 229 }));
      await chat.host.updateComplete;
    };
    await passOn('Enter');
    await passOn('Escape');
    expect(chat.composer.value).to.equal('Ask @');
    expect(options()).to.have.length(1);
    await sendKeys({ press: 'Escape' }); // the key itself closes the list
    await until(() => options().length === 0);
    await passOn('Enter');
    await passOn('Escape');
    expect(service.posted).to.have.length(0);
    expect(chat.find('.panel').checkVisibility({ visibilityProperty: true })).to.equal(true);
    expect(chat.find('.panel').matches('[inert]')).to.equal(false);
  });

  it('with the keyboard each name in the list scrolls into view, and Shift+Tab goes back', async () => {
    const people = Array.from({ length: 8 }, (_, at) => ({
      id: `123e4567-e89b-12d3-a456-${String(at).padStart(12, '0')}`,
      name: `Person ${at}`,
      description: `Pier ${at}`,
    }));
    await visit({ mentionables: people });
    await sendKeys({ type: 'Ask @' });
    await until(() => options().length === 8);
    for (const [key, at] of [
      ['ArrowUp', 7],
      ['ArrowDown', 0],
    ] as const) {
      await sendKeys({ press: key });
      const option = (): HTMLElement => chat.all('[role=option]')[at]!;
      await until(() => option().ariaSelected === 'true');
      await until(async () => (await visibleRatio(option())) > 0.99);
    }
    await sendKeys({ down: 'Shift' });
    await sendKeys({ press: 'Tab' });
    await sendKeys({ up: 'Shift' });
    await until(() => focusedElement() !== chat.composer);
    await until(() => options().length === 0);
    expect(chat.composer.value).to.equal('Ask @');
  });

  it('documents are uploaded by the page, can fail and be retried, and are sent as ids', async () => {
    await visit();
    const ids = ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174001'];
    let tries = 0;
    chat.host.uploadDocument = async (file, { onProgress }) => {
      onProgress(0.5);
      tries += 1;
      await Promise.resolve();
      if (file.name === 'second.txt' && tries === 2) throw new Error('no room');
      return ids[file.name === 'first.txt' ? 0 : 1]!;
    };
    await chat.shows('input[type=file]');
    const input = chat.find<HTMLInputElement>('input[type=file]');
    const chosen = new DataTransfer();
    for (const name of ['first.txt', 'second.txt'])
      chosen.items.add(new File(['x'], name, { type: 'text/plain' }));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await until(() => chat.texts('agent-chat-attachments .failed .state').join() === 'failed');
    chat.button('Upload second.txt again').click();
    await chat.shows('agent-chat-attachments .failed', 0);
    await until(() => tries === 3);
    chat.say('Please read these');
    await until(() => service.posted.length === 1);
    expect(service.posted[0]?.message['document_ids']).to.deep.equal(ids);
    await until(() => chat.all('agent-chat-sent-files-list .file').length === 2);
    expect(chat.texts('agent-chat-sent-files-list .file')[0]).to.equal('TXT first.txt 1 byte');
    await chat.shows('agent-chat-attachments li', 0);
  });

  it('a message that waits for its file stays in the composer when its conversation is left', async () => {
    await visit();
    const uploads: ((id: string) => void)[] = [];
    chat.host.uploadDocument = () => new Promise((resolve) => uploads.push(resolve));
    await chat.shows('input[type=file]');
    const attach = async (): Promise<void> => {
      const input = chat.find<HTMLInputElement>('input[type=file]');
      const chosen = new DataTransfer();
      chosen.items.add(new File(['x'], `${uploads.length}.txt`));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
      const before = uploads.length;
      await until(() => uploads.length > before);
    };
    const waits = (): boolean => chat.all('agent-chat-composer .waiting').length > 0;
    for (const leave of [
      () => chat.host.newThread(),
      () => chat.host.setThread('5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10'),
    ]) {
      chat.write('');
      await attach();
      chat.say('Please read this');
      await until(waits);
      await leave();
      await until(() => !waits());
    }
    for (const end of uploads) end('123e4567-e89b-12d3-a456-426614174000');
    await chat.shows('agent-chat-attachments .done', 2);
    expect(service.posted).to.have.length(0);
    expect(chat.composer.value).to.equal('Please read this');
  });

  it('files and mentions of what was not sent come back with its text when the conversation is left', async () => {
    const ada = { id: '123e4567-e89b-12d3-a456-426614174007', name: 'Ada Lovelace', type: 'person' };
    service.reply = (_run, number) =>
      number === 1 ? streamOf(freshTurn(['Wait']).slice(0, 2), { staysOpen: true }) : freshTurn(['Read.']);
    await visit({ mentionables: [ada] });
    const id = '123e4567-e89b-12d3-a456-426614174000';
    chat.host.uploadDocument = () => Promise.resolve(id);
    await chat.shows('input[type=file]');
    chat.say('First');
    await until(() => chat.host.conversation?.runs[0]?.runId);
    const input = chat.find<HTMLInputElement>('input[type=file]');
    const chosen = new DataTransfer();
    chosen.items.add(new File(['x'], 'plan.txt'));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await chat.shows('agent-chat-attachments .done');
    await sendKeys({ type: 'For @ada' });
    await until(() => options().length === 1);
    await sendKeys({ press: 'Enter' });
    await sendKeys({ press: 'Enter' });
    await until(() => chat.texts('agent-chat-visitor-message').length === 2);
    await chat.shows('agent-chat-attachments li', 0);
    await chat.host.newThread();
    await chat.shows('agent-chat-attachments .done');
    expect(chat.composer.value).to.equal('For @Ada Lovelace');
    chat.say(chat.composer.value);
    await until(() => service.posted.length === 2);
    expect(service.posted[1]?.message['document_ids']).to.deep.equal([id]);
    expect(service.posted[1]?.message['mentions']).to.deep.equal([ada]);
  });

  it('offers to remove a folder only: to upload it again would fail again', async () => {
    await visit();
    chat.host.uploadDocument = () => Promise.reject(new TypeError('Failed to fetch'));
    await chat.shows('input[type=file]');
    const unreadable = (): Promise<never> => Promise.reject(new DOMException('', 'NotReadableError'));
    const folder = Object.assign(new File(['x'], 'Photos'), { slice: () => ({ arrayBuffer: unreadable }) });
    const input = chat.find<HTMLInputElement>('input[type=file]');
    Object.defineProperty(input, 'files', { value: [folder] });
    Object.defineProperty(input, 'value', { value: '', writable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await until(() => chat.texts('agent-chat-attachments .failed .state').join() === 'failed');
    const names = chat.all('agent-chat-attachments button').map((button) => button.ariaLabel);
    expect(names).to.deep.equal(['Remove Photos']);
  });

  it('says why the page refuses a document, and offers to remove it only', async () => {
    await visit();
    chat.host.uploadDocument = () => Promise.resolve({ refused: 'Only PDF files.' });
    await chat.shows('input[type=file]');
    const input = chat.find<HTMLInputElement>('input[type=file]');
    const chosen = new DataTransfer();
    chosen.items.add(new File(['x'], 'photo.exe'));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await until(() => chat.texts('agent-chat-attachments .failed .state').join() === 'Only PDF files.');
    await until(() =>
      chat.texts('[aria-live=polite] div').includes('photo.exe could not be uploaded. Only PDF files.'),
    );
    const names = chat.all('agent-chat-attachments button').map((button) => button.ariaLabel);
    expect(names).to.deep.equal(['Remove photo.exe']);
  });

  it('says that the page takes no files when a picture is pasted, and pastes the text beside one', async () => {
    await visit({ strings: { 'file.unavailable': 'No files here.' } });
    const paste = (text?: string): boolean => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
      if (text) clipboardData.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return chat.composer.dispatchEvent(event);
    };
    const faults = (): string[] => chat.texts('agent-chat-composer .fault');
    expect(paste('words'), 'left to the browser').to.equal(true);
    expect(paste()).to.equal(false);
    await until(() => faults().join() === 'No files here.');
    await until(() => chat.texts('[aria-live=polite] div').includes('No files here.'));
    chat.write('In words, then');
    await until(() => faults().length === 0);
  });

  it('the field grows with the text that the visitor writes, or the page sets', async () => {
    await visit();
    const heightOf = (): number => chat.composer.getBoundingClientRect().height;
    const line = heightOf();
    chat.write('a');
    expect(heightOf()).to.equal(line);
    chat.write('a\nb');
    const two = heightOf();
    expect(two).to.be.above(line + 15);
    await chat.host.setDraft('a\nb\nc\nd');
    await until(() => heightOf() > two + 30);
    await chat.host.setDraft('');
    await until(() => heightOf() === line);
  });

  it('a draft that the page sets in place of one that was too long can be sent', async () => {
    await visit();
    chat.write('x'.repeat(100_001));
    await until(() => chat.composer.ariaInvalid === 'true');
    await chat.host.setDraft('short');
    await until(() => chat.composer.value === 'short' && chat.composer.ariaInvalid !== 'true');
    await sendKeys({ press: 'Enter' });
    await until(() => service.posted.length === 1);
    expect(service.items[0]?.text).to.equal('short');
  });
});
