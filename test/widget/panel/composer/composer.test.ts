import { aTimeout, expect, fixture, html, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { PanelConfig } from '../../../../src/widget/contexts.ts';
import type { AnnounceEvent } from '../../../../src/widget/events/panel-events.ts';
import type { PanelRequest } from '../../../../src/widget/events/panel-request.ts';
import { maxMessageLength } from '../../../../src/widget/config/max-message-length.ts';
import { ComposerElement } from '../../../../src/widget/panel/composer/composer.ts';
import { sentFiles } from '../../../../src/widget/panel/sent-files.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';
import { panelConfig } from '../panel-fixture.ts';

defineElement('agent-chat-composer', ComposerElement);

interface Upload {
  readonly name: string;
  readonly progress: (share: number) => void;
  readonly done: (id: string) => void;
  readonly fail: () => void;
}

/** A composer with two documents that are uploading. */
class Writing {
  readonly uploads: Upload[] = [];
  readonly sent: string[] = [];
  readonly said: string[] = [];
  #element!: ComposerElement;

  static async begin(): Promise<Writing> {
    const writing = new Writing();
    writing.drop(await writing.show(), ['a.pdf', 'b.pdf']);
    await waitUntil(() => writing.uploads.length === 2);
    writing.write('See these');
    return writing;
  }

  /** Renders the composer of a page that does not accept documents yet; the attachments module is not loaded. */
  async show(): Promise<PanelConfig> {
    const panel: PanelConfig = {
      ...panelConfig,
      uploadDocument: ({ name }, { onProgress: progress }) =>
        new Promise((done, refuse) =>
          this.uploads.push({ name, progress, done, fail: () => refuse(new Error('no')) }),
        ),
    };
    this.#element = await fixture(
      html`<agent-chat-composer
        .panel=${{ ...panel, uploadDocument: undefined }}
        .session=${{ connection: 'idle', canStop: false, busy: false }}
        @agent-chat-request=${({ request }: PanelRequest) => {
          if (request.kind === 'send') this.sent.push(`${request.text} ${request.documentIds?.join(' ')}`);
        }}
        @agent-chat-announce=${({ text }: AnnounceEvent) => this.said.push(text)}
      ></agent-chat-composer>`,
    );
    return panel;
  }

  /** Drops files on the composer at the moment when the page starts to accept them. */
  drop(panel: PanelConfig, names: readonly string[]): void {
    this.#element.panel = panel;
    const data = new DataTransfer();
    for (const name of names) data.items.add(new File(['x'], name));
    this.#element.takeFiles(new DragEvent('drop', { dataTransfer: data }));
  }

  get text(): string {
    return this.#find<HTMLTextAreaElement>('textarea').value;
  }

  get line(): string | undefined {
    return this.#element.renderRoot.querySelector('.waiting, .fault')?.textContent;
  }

  write(text: string): void {
    this.#find<HTMLTextAreaElement>('textarea').value = text;
    this.#find('textarea').dispatchEvent(new InputEvent('input'));
  }

  async enter(): Promise<void> {
    this.#find('textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    await this.settle();
  }

  /** The page sets another visitor. */
  discardAll(): void {
    this.#element.discardAll();
  }

  /** Waits for the attachments module, and what it does at once. */
  async loaded(): Promise<void> {
    await waitUntil(() => this.#element.attachments);
    await this.settle();
  }

  async settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await this.#element.updateComplete;
  }

  /** State and progress of each document; -1 means indeterminate. */
  async states(): Promise<(readonly [string, number | undefined])[]> {
    const list = this.#find('agent-chat-attachments');
    await waitUntil(() => list.shadowRoot?.querySelector('li'));
    await this.settle();
    return [...(list.shadowRoot?.querySelectorAll('li') ?? [])].map((item) => [
      item.querySelector('.state')?.textContent ?? '',
      item.querySelector('progress')?.position,
    ]);
  }

  /** Removes a document with the keyboard. */
  async removeByKey(name: string): Promise<void> {
    const list = this.#find('agent-chat-attachments');
    await waitUntil(() => list.shadowRoot?.querySelector('li'));
    list.shadowRoot?.querySelector<HTMLElement>(`[aria-label="Remove ${name}"]`)?.focus();
    await sendKeys({ press: 'Enter' });
    await this.settle();
  }

  get sendsOff(): boolean {
    return this.#find('[part=send]').ariaDisabled === 'true';
  }

  get focused(): string | undefined {
    return this.#element.shadowRoot?.activeElement?.localName;
  }

  async remove(name: string): Promise<void> {
    const list = this.#find('agent-chat-attachments');
    await waitUntil(() => list.shadowRoot?.querySelector('li.failed'));
    list.shadowRoot?.querySelector<HTMLElement>(`[aria-label="Remove ${name}"]`)?.click();
    await this.settle();
  }

  #find<Found extends HTMLElement>(selector: string): Found {
    const found = this.#element.renderRoot.querySelector<Found>(selector);
    if (!found) throw new Error(`no ${selector}`);
    return found;
  }
}

const idA = '00000000-0000-4000-8000-00000000000a';
const idB = '00000000-0000-4000-8000-00000000000b';

describe('<agent-chat-composer> with documents', () => {
  it('sends a message once its documents are uploaded', async () => {
    const writing = await Writing.begin();
    await writing.enter();
    expect([writing.sent, writing.text]).to.deep.equal([[], 'See these']);
    expect(writing.line).to.equal('Waiting for the documents to upload');
    expect(writing.said).to.deep.equal(['Waiting for the documents to upload']);
    writing.uploads[0]?.done(idA);
    await writing.settle();
    expect(writing.sent).to.deep.equal([]);
    writing.uploads[1]?.done(idB);
    await waitUntil(() => writing.sent.length > 0);
    await writing.settle();
    expect(writing.sent).to.deep.equal([`See these ${idA} ${idB}`]);
    expect([writing.text, writing.line]).to.deep.equal(['', undefined]);
  });

  it('waits for a file that was picked before the attachments module loaded', async () => {
    const writing = new Writing();
    writing.drop(await writing.show(), ['a.pdf']);
    writing.write('See this');
    const entered = writing.enter();
    expect([writing.sent, writing.text]).to.deep.equal([[], 'See this']);
    await entered;
    await waitUntil(() => writing.uploads.length === 1);
    expect(writing.sent).to.deep.equal([]);
    writing.uploads[0]?.done(idA);
    await waitUntil(() => writing.sent.length > 0);
    expect(writing.sent).to.deep.equal([`See this ${idA}`]);
  });

  it('does not attach for another visitor what was picked before the attachments module loaded', async () => {
    const writing = new Writing();
    writing.drop(await writing.show(), ['a.pdf']);
    writing.discardAll();
    await writing.loaded();
    expect(writing.uploads).to.have.length(0);
    writing.write('Hello');
    await writing.enter();
    expect(writing.sent).to.deep.equal(['Hello ']);
  });

  it('attaches each file once that was picked before the attachments module loaded', async () => {
    const writing = new Writing();
    const panel = await writing.show();
    writing.drop(panel, ['a.pdf']);
    writing.drop(panel, ['b.pdf']);
    await writing.loaded();
    expect(writing.uploads.map(({ name }) => name)).to.deep.equal(['a.pdf', 'b.pdf']);
  });

  it('waits for another Enter after further typing', async () => {
    const writing = await Writing.begin();
    await writing.enter();
    writing.write('See these two');
    for (const [index, upload] of writing.uploads.entries()) upload.done([idA, idB][index]!);
    await writing.settle();
    expect(writing.sent).to.deep.equal([]);
    await writing.enter();
    expect(writing.sent).to.deep.equal([`See these two ${idA} ${idB}`]);
  });

  it('waits no longer once all that was to be sent is removed', async () => {
    const writing = await Writing.begin();
    writing.write('');
    await writing.enter();
    expect(writing.line).to.equal('Waiting for the documents to upload');
    await writing.removeByKey('a.pdf');
    await writing.removeByKey('b.pdf');
    expect(writing.line).to.equal(undefined);
  });

  it('keeps a failed document: says so, and sends once it is removed', async () => {
    const writing = await Writing.begin();
    await writing.enter();
    writing.uploads[0]?.done(idA);
    writing.uploads[1]?.fail();
    await waitUntil(() => writing.line?.startsWith('A document could not be uploaded.'));
    expect([writing.sent, writing.text]).to.deep.equal([[], 'See these']);
    await writing.enter();
    expect(writing.sent).to.deep.equal([]);
    await writing.remove('b.pdf');
    expect(writing.line).to.equal(undefined);
    await writing.enter();
    expect(writing.sent).to.deep.equal([`See these ${idA}`]);
  });

  it('shows progress once the page reports it, and an indeterminate bar before', async () => {
    const writing = await Writing.begin();
    expect(await writing.states()).to.deep.equal([
      ['', -1],
      ['', -1],
    ]);
    writing.uploads[0]?.progress(0.25);
    expect(await writing.states()).to.deep.equal([
      ['25%', 0.25],
      ['', -1],
    ]);
  });

  it('announces a removed document and focuses the text field', async () => {
    const writing = await Writing.begin();
    await writing.removeByKey('b.pdf');
    expect(writing.said).to.deep.equal(['b.pdf removed.']);
    expect(writing.focused).to.equal('textarea');
  });

  it('keeps the files that were sent', async () => {
    const writing = await Writing.begin();
    for (const [index, upload] of writing.uploads.entries()) upload.done([idA, idB][index]!);
    await writing.settle();
    await writing.enter();
    expect(sentFiles.get(idA)?.name).to.equal('a.pdf');
  });

  it('announces on Enter that a text is too long, and disables Send', async () => {
    const writing = await Writing.begin();
    writing.write('x'.repeat(maxMessageLength + 50));
    await writing.settle();
    expect(writing.sendsOff).to.equal(true);
    await writing.enter();
    expect(writing.said).to.deep.equal(['Too long by 50 characters', 'Too long by 50 characters']);
    expect(writing.sent).to.deep.equal([]);
  });
});

describe('<agent-chat-composer> with an answer that comes in', () => {
  it('does not stop it by the second press of a double click on Send, but by a later press', async () => {
    const requests: string[] = [];
    const element = await fixture<ComposerElement>(
      html`<agent-chat-composer
        .panel=${{ ...(await new Writing().show()), uploadDocument: undefined }}
        .session=${{ connection: 'idle', canStop: false, busy: false }}
        .draft=${'Is a berth free?'}
        @agent-chat-request=${({ request }: PanelRequest) => requests.push(request.kind)}
      ></agent-chat-composer>`,
    );
    const send = element.renderRoot.querySelector<HTMLElement>('[part=send]');
    send?.click();
    element.session = { connection: 'streaming', canStop: true, busy: true, history: 'none' };
    await element.updateComplete;
    expect(send?.ariaLabel).to.equal('Stop');
    send?.click();
    expect(requests).to.deep.equal(['draft', 'send']);
    await aTimeout(600);
    send?.click();
    expect(requests).to.deep.equal(['draft', 'send', 'stop']);
  });
});
