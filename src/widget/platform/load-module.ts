import { diagnose } from '../events/report-diagnostic.ts';
import { completeEnglish } from '../i18n/english.ts';

/**
 * Fetches a part of the widget and the words it needs, for something that can do without it for a while.
 * @param asker is told that it could not be had, as a diagnostic
 * @param name of the part, as a developer is told
 * @param bringWords brings the English words it needs
 * @returns undefined when it could not be fetched; it may be asked for again
 */
export async function fetchPart<Part>(
  asker: EventTarget,
  name: string,
  load: () => Promise<Part>,
  bringWords = completeEnglish,
): Promise<Part | undefined> {
  try {
    const [part] = await Promise.all([load(), bringWords()]);
    return part;
  } catch {
    diagnose(asker, 'load-failed', `${name} could not be loaded. Check the network.`);
    return undefined;
  }
}
