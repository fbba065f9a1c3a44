/** Languages by script, whatever the language of the page. The first of each is the default. */
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

/** Guesses the language of a text from its script: the page's language, unless most letters are of another script. */
export function languageOf(text: string, locale: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = locale.split('-')[0] ?? '';
  for (const [script, languages] of languagesOfScripts) {
    if ((text.match(script)?.length ?? 0) * 2 <= letters) continue;
    return languages.includes(own) ? locale : (languages[0] ?? locale);
  }
  return locale;
}

/** Returns the best voice for a language: preferably of the same region, then one on this device. */
export function chooseVoice(
  voices: readonly SpeechSynthesisVoice[],
  language: string,
): SpeechSynthesisVoice | undefined {
  const tag = language.toLowerCase();
  const tagOf = ({ lang }: SpeechSynthesisVoice): string => lang.toLowerCase().replaceAll('_', '-');
  const own = voices.filter((voice) => tagOf(voice).split('-')[0] === tag.split('-')[0]);
  const scoreOf = (voice: SpeechSynthesisVoice): number =>
    (tagOf(voice) === tag ? 4 : 0) + (voice.localService ? 2 : 0) + (voice.default ? 1 : 0);
  return own.sort((one, other) => scoreOf(other) - scoreOf(one))[0];
}
