import type { AgentChat } from 'agent-chat';

const maxMegabytes = 10;

/**
 * Stands for the upload of a page: shows progress, keeps nothing, and gives the document an id. Refuses large files.
 */
export const pretendUpload: NonNullable<AgentChat['uploadDocument']> = async (
  file,
  { signal, onProgress },
) => {
  if (file.size > maxMegabytes * 1_000_000) return { refused: `At most ${maxMegabytes} MB, please.` };
  for (let step = 1; step <= 10; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, 80));
    signal.throwIfAborted();
    onProgress(step / 10);
  }
  // only secure pages have `crypto.randomUUID`
  const [first = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `00000000-0000-4000-8000-${first.toString(16).padStart(12, '0')}`;
};
