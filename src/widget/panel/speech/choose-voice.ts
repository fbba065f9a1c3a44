/** Scripts that tell the language of a text, whatever the language of the page. The first entry is the default. */
const languagesOfScripts: readonly (readonly [script: RegExp, languages: readonly string[]])[] = [
  [/[\p{scx=Hira}\p{scx=Kana}]/gu, ['ja']],
  [/\p{sc=Hang}/gu, ['ko']],
  [/\p{sc=Han}/gu, ['zh', 'ja']],
  [/\p{sc=Arab}/gu, ['ar', 'fa', 'ur']],
  [/\p{sc=Hebr}/gu, ['he', 'yi']],
  [/\p{sc=Cyrl}/gu, ['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk']],
  [/\p{sc=Grek}/gu, ['el']],
  [/\p{sc=Thai}/gu, ['th']],
  [/\p{sc=Deva}/gu, ['hi', 'mr', 'ne']],
];

/** Returns the language of a text as far as its script tells: the page's own, unless most letters are of another script. */
export function languageOf(text: string, locale: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = locale.split('-')[0] ?? '';
  for (const [script, languages] of languagesOfScripts) {
    if ((text.match(script)?.length ?? 0) * 2 <= letters) continue;
    return languages.includes(own) ? locale : (languages[0] ?? locale);
  }
  return locale;
}

/** Returns the voice for a language: of the same region if there is one, on this device if there is one. */
export function chooseVoice(
  voices: readonly SpeechSynthesisVoice[],
  language: string,
): SpeechSynthesisVoice | undefined {
  const tag = language.toLowerCase();
  const tagOf = ({ lang }: SpeechSynthesisVoice): string => lang.toLowerCase().replaceAll('_', '-');
  const own = voices.filter((voice) => tagOf(voice).split('-')[0] === tag.split('-')[0]);
  const worth = (voice: SpeechSynthesisVoice): number =>
    (tagOf(voice) === tag ? 4 : 0) + (voice.localService ? 2 : 0) + (voice.default ? 1 : 0);
  return own.sort((one, other) => worth(other) - worth(one))[0];
}
