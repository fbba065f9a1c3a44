import { diagnose } from '../events/report-diagnostic.ts';

/**
 * Loads an optional part of the widget. Reports a `load-failed` diagnostic when that fails.
 * @param reporter dispatches the diagnostic
 * @param name of the module, for the diagnostic
 * @returns undefined when it could not be loaded; call again to retry
 */
export async function loadModule<Part>(
  reporter: EventTarget,
  name: string,
  load: () => Promise<Part>,
): Promise<Part | undefined> {
  try {
    return await load();
  } catch {
    diagnose(reporter, 'load-failed', `${name} could not be loaded. Check the network.`);
    return undefined;
  }
}
