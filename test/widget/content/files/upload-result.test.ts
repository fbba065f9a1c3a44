import { aTimeout, expect, fixture, html, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { LitElement } from 'lit';
import { AttachmentsController } from '../../../../src/widget/panel/composer/attachments-controller.ts';
import {
  AttachmentsElement,
  type AttachmentEvent,
} from '../../../../src/widget/panel/composer/attachments.ts';
import { panelConfig } from '../../panel/panel-fixture.ts';
import type { DiagnosticEvent } from '../../../../src/widget/events/element-events.ts';
import type { ItemUploadEvent } from '../../../../src/widget/content/item-events.ts';
import { deep, deepAll, settled, show, textOf, type ItemHarness } from '../item-fixture.ts';

const idA = '00000000-0000-4000-8000-00000000000a';
const source = { response_type: 'file_upload' };

/** Shows an item that asks for files, and selects some. Calls `answer` with the event of each file. */
async function withFile(
  answer: (event: ItemUploadEvent) => void,
  names: readonly string[] = ['a.txt'],
): Promise<{ readonly harness: ItemHarness; readonly diagnostics: readonly string[] }> {
  const harness = await show([source], { uploads: true });
  const diagnostics: string[] = [];
  harness.addEventListener('agent-chat-diagnostic', (event) => {
    event.preventDefault();
    diagnostics.push((event as DiagnosticEvent).code);
  });
  harness.addEventListener('agent-chat-item-upload', answer);
  const input = deep<HTMLInputElement>(harness, 'input[type=file]');
  const transfer = new DataTransfer();
  for (const name of names) transfer.items.add(new File([''], name, { type: 'text/plain' }));
  input.files = transfer.files;
  input.dispatchEvent(new Event('change'));
  await settled(harness);
  return { harness, diagnostics };
}

class UploadHost extends LitElement {
  readonly panel = panelConfig;
  readonly files = new AttachmentsController(this);

  override render(): unknown {
    return html`<agent-chat-attachments .attachments=${this.files.attachments}></agent-chat-attachments>`;
  }
}
customElements.define('upload-host', UploadHost);
if (!customElements.get('agent-chat-attachments')) {
  customElements.define('agent-chat-attachments', AttachmentsElement);
}

describe('an item that asks for files', () => {
  it('says why the page refuses a file, and offers no other attempt', async () => {
    const { harness, diagnostics } = await withFile((event) =>
      event.respondWith(Promise.resolve({ refused: 'A file may have 10 MB.' })),
    );
    await settled(harness);
    expect(textOf(harness)).to.contain('a.txt could not be uploaded. A file may have 10 MB.');
    const names = deepAll<HTMLElement>(harness, '.file button').map((button) => button.ariaLabel);
    expect(names).to.deep.equal(['Remove a.txt']);
    expect(diagnostics).to.deep.equal([]);
  });

  it('keeps the place of a file that is uploaded again', async () => {
    let attempts = 0;
    const { harness } = await withFile(
      (event) => {
        attempts += 1;
        event.respondWith(attempts === 1 ? Promise.reject(new Error('away')) : Promise.resolve(idA));
      },
      ['a.txt', 'b.txt'],
    );
    await settled(harness);
    deep<HTMLButtonElement>(harness, '[aria-label="Try a.txt again"]').click();
    await settled(harness);
    const names = deepAll<HTMLElement>(harness, '.file .name').map((name) => name.title);
    expect(names).to.deep.equal(['a.txt', 'b.txt']);
    expect(attempts).to.equal(3);
  });

  it('shows no progress if the page reports NaN', async () => {
    const { harness } = await withFile((event) => {
      event.respondWith(new Promise(() => undefined));
      event.onProgress(0 / 0);
    });
    expect(deep<HTMLProgressElement>(harness, 'progress').value).to.equal(0);
    expect(textOf(harness)).to.contain('a.txt');
  });

  it('accepts an id without a promise', async () => {
    const { harness } = await withFile((event) => event.respondWith(idA as unknown as Promise<string>));
    deepAll<HTMLElement>(harness, 'button')
      .find((button) => button.textContent.includes('Send'))
      ?.click();
    expect(harness.answers[0]?.message?.document_ids).to.deep.equal([idA]);
  });

  for (const id of [{ id: 'a' }, 'doc-1', `${idA}0`, '']) {
    it(`sends no file with ${JSON.stringify(id)} in place of a UUID, and reports a diagnostic`, async () => {
      const { harness, diagnostics } = await withFile((event) =>
        event.respondWith(Promise.resolve(id as string)),
      );
      await waitUntil(() => textOf(harness).includes('a.txt could not be uploaded.'));
      expect(diagnostics).to.deep.equal(['invalid-upload']);
    });
  }

  it('announces nothing for a file that was removed during its upload', async () => {
    const announced: string[] = [];
    let arrive: (id: string) => void = () => undefined;
    const { harness } = await withFile((event) => event.respondWith(new Promise((done) => (arrive = done))));
    harness.addEventListener('agent-chat-announce', (event) =>
      announced.push((event as Event & { text: string }).text),
    );
    deep<HTMLButtonElement>(harness, '[aria-label="Remove a.txt"]').click();
    arrive(idA);
    await settled(harness);
    expect(announced).to.deep.equal([]);
  });

  it('offers another attempt after the chat was away from the page during an upload', async () => {
    const { harness } = await withFile((event) => event.respondWith(new Promise(() => undefined)));
    const parent = harness.parentElement!;
    harness.remove();
    await aTimeout(0);
    parent.append(harness);
    await settled(harness);
    expect(deepAll(harness, 'progress')).to.have.length(0);
    deep<HTMLButtonElement>(harness, '[aria-label="Try a.txt again"]').click();
    await settled(harness);
    expect(deepAll(harness, 'progress')).to.have.length(1);
  });

  it('keeps the focus when the pressed button of a file goes', async () => {
    let attempts = 0;
    const { harness } = await withFile((event) => {
      attempts += 1;
      event.respondWith(attempts === 1 ? Promise.reject(new Error('away')) : new Promise(() => undefined));
    });
    const press = async (selector: string): Promise<void> => {
      await waitUntil(() => deepAll(harness, selector).length > 0);
      deep(harness, selector).focus();
      await sendKeys({ press: 'Enter' });
      await settled(harness);
    };
    const item = deep(harness, 'agent-chat-file-upload');
    await press('[aria-label="Try a.txt again"]');
    expect(item.matches(':focus-within'), 'tried again').to.equal(true);
    await press('[aria-label="Remove a.txt"]');
    expect(item.matches(':focus-within'), 'removed').to.equal(true);
  });
});

describe('documents in the composer', () => {
  it('keep the focus when a file is tried again', async () => {
    const host = await fixture<UploadHost>(html`<upload-host></upload-host>`);
    let attempts = 0;
    host.files.add([new File([''], 'a.txt')], () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('away')) : new Promise(() => undefined);
    });
    const list = deep<AttachmentsElement>(host, 'agent-chat-attachments');
    list.addEventListener('agent-chat-attachment', (event) =>
      host.files.add([(event as AttachmentEvent).file], () => new Promise(() => undefined)),
    );
    await waitUntil(() => deepAll(host, 'li.failed').length === 1);
    deep(host, '[aria-label="Upload a.txt again"]').focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => deepAll(host, 'li.uploading').length === 1);
    expect(list.matches(':focus-within')).to.equal(true);
  });

  it('show no progress if the page reports NaN', async () => {
    const host = await fixture<UploadHost>(html`<upload-host></upload-host>`);
    const upload = (
      _file: File,
      { onProgress }: { onProgress: (share: number) => void },
    ): Promise<string> => {
      onProgress(0 / 0);
      return new Promise(() => undefined);
    };
    host.files.add([new File([''], 'a.txt')], upload);
    await host.updateComplete;
    const list = deep<AttachmentsElement>(host, 'agent-chat-attachments');
    await list.updateComplete;
    expect(deep<HTMLProgressElement>(host, 'progress').value).to.equal(0);
    expect(host.files.attachments[0]?.progress).to.equal(0);
  });

  it('ignore progress after the upload', async () => {
    const host = await fixture<UploadHost>(html`<upload-host></upload-host>`);
    let report: (share: number) => void = () => undefined;
    host.files.add([new File([''], 'a.txt')], (_file, { onProgress }) => {
      report = onProgress;
      return Promise.resolve(idA);
    });
    await aTimeout(0);
    report(1);
    expect(host.files.attachments).to.have.length(1);
    expect(host.files.pending).to.equal(false);
    host.files.takeAll();
    report(1);
    expect(host.files.attachments).to.have.length(0);
  });
});
