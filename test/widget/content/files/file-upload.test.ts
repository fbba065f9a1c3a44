import { expect, waitUntil } from '@open-wc/testing';
import type { ItemUploadEvent } from '../../../../src/widget/content/item-events.ts';
import { deep, settled, show, textOf, button } from '../item-fixture.ts';

const documentIds: Readonly<Record<string, string>> = {
  'a.txt': '00000000-0000-4000-8000-00000000000a',
  'b.txt': '00000000-0000-4000-8000-00000000000b',
};

describe('<agent-chat-file-upload>', () => {
  it('uploads files within the limits and sends their ids', async () => {
    const harness = await show(
      [
        {
          response_type: 'file_upload',
          uploadSettings: {
            allowedFileMimeTypes: ['text/plain'],
            maxSingleFileSizeMB: 0.001,
            maxFilesPerUpload: 2,
          },
        },
      ],
      { uploads: true },
    );
    const events: ItemUploadEvent[] = [];
    let refuse = true;
    harness.addEventListener('agent-chat-item-upload', (event) => {
      events.push(event);
      event.respondWith(
        refuse ? Promise.reject(new Error('offline')) : Promise.resolve(documentIds[event.file.name]!),
      );
    });
    const input = deep<HTMLInputElement>(harness, 'input[type=file]');
    const pick = async (...files: readonly File[]): Promise<void> => {
      const transfer = new DataTransfer();
      for (const file of files) transfer.items.add(file);
      input.files = transfer.files;
      input.dispatchEvent(new Event('change'));
      await settled(harness);
    };
    await pick(new File(['long '.repeat(400)], 'long.txt', { type: 'text/plain' }));
    expect(textOf(harness)).to.contain('long.txt is larger than 0.001 MB.');
    await pick(new File(['x'], 'a.exe', { type: 'application/x-msdownload' }));
    expect(textOf(harness)).to.contain('a.exe is not of an allowed type.');
    await pick(new File(['x'], 'a.txt', { type: 'text/plain' }));
    await waitUntil(() => textOf(harness).includes('a.txt could not be uploaded.'));
    refuse = false;
    button(harness, 'Try a.txt again').click();
    await settled(harness);
    await pick(
      new File(['y'], 'b.txt', { type: 'text/plain' }),
      new File(['z'], 'c.txt', { type: 'text/plain' }),
    );
    expect(textOf(harness)).to.contain('Only 2 files are allowed.');
    button(harness, 'Send 2 files').click();
    expect(harness.answers[0]?.message?.document_ids).to.deep.equal(Object.values(documentIds));
    expect(events).to.have.length(3);
  });
});
