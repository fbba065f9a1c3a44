import { diagnose } from '../events/report-diagnostic.ts';

/**
 * Loads an optional part of the widget. Reports a `load-failed` diagnostic when that fails.
 * @param reporter dispatches the diagnostic
 * @param purpose what the module is for, in the plural, for the diagnostic
 * @returns undefined when it could not be loaded; call again to retry
 */
export async function loadModule<Part>(
  reporter: EventTarget,
  purpose: string,
  load: () => Promise<Part>,
): Promise<Part | undefined> {
  try {
    return await load();
  } catch {
    diagnose(reporter, 'load-failed', `The module for ${purpose} could not be loaded. Check the network.`);
    return undefined;
  }
}
