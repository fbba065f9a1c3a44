import type { ChatHost } from '../chat-host.ts';
import { chooseLanguage } from '../i18n/negotiate-locale.ts';
import { createWords } from '../i18n/create-strings.ts';
import { launcherEn } from '../i18n/locales/launcher-en.ts';
import { launcherWords } from '../i18n/locales/launcher-words.ts';

const spoken = new WeakMap<ChatHost, readonly unknown[]>();

/**
 * Puts the launcher's words into the language of its page before the panel is there. Apart from the launcher, so that
 * an English page does not carry it; does nothing while the same is wanted.
 */
export function speakOnLauncher(host: ChatHost): void {
  const overrides = host.option('strings') ?? undefined; // JSON may say null
  const around = host.closest<HTMLElement>('[lang]')?.lang ?? '';
  const wanted = [host.config.lang, around, document.documentElement.lang, ...navigator.languages];
  const { tag, name } = chooseLanguage(wanted);
  const key = [tag, overrides];
  const before = spoken.get(host);
  if (before && key.every((part, index) => part === before[index])) return;
  spoken.set(host, key);
  host.words = createWords(tag, name === 'en' ? launcherEn : launcherWords[name], overrides);
}
