import type { ChatHost } from '../chat-host.ts';
import { createStrings } from '../i18n/create-strings.ts';
import { launcherStrings } from '../i18n/launcher-strings.ts';
import { loadLocale } from '../i18n/negotiate-locale.ts';

/** Languages and overrides that each launcher was last translated for. */
const localized = new WeakMap<ChatHost, { readonly languages: string; readonly overrides: unknown }>();

/**
 * Translates the launcher before the panel has loaded. Loaded on demand: an English page does not need it. Does nothing
 * when languages and overrides have not changed.
 * @throws TypeError when the table of the language cannot be fetched.
 */
export async function localizeLauncher(host: ChatHost): Promise<void> {
  const overrides = host.option('strings') ?? undefined; // null is possible in JSON
  const inherited = host.closest<HTMLElement>('[lang]')?.lang ?? '';
  const requested = [host.config.lang, inherited, document.documentElement.lang, ...navigator.languages];
  const request = { languages: requested.join(), overrides };
  const before = localized.get(host);
  if (before?.languages === request.languages && before.overrides === overrides) return;
  localized.set(host, request);
  const { tag, table } = await loadLocale(requested);
  if (localized.get(host) === request) host.words = createStrings(tag, table ?? launcherStrings, overrides);
}
