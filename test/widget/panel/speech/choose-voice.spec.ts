import { expect, test } from '@playwright/test';
import { chooseVoice, languageOf } from '../../../../src/widget/panel/speech/choose-voice.ts';

test('the language of a text is that of its script, else that of the page', () => {
  expect(languageOf('Guten Tag', 'de')).toBe('de');
  expect(languageOf('こんにちは、世界', 'en')).toBe('ja');
  expect(languageOf('你好，世界', 'en')).toBe('zh');
  expect(languageOf('你好，世界', 'zh-TW')).toBe('zh-TW');
  expect(languageOf('مرحبا', 'en')).toBe('ar');
  expect(languageOf('שלום', 'he')).toBe('he');
  expect(languageOf('Привіт', 'uk')).toBe('uk');
  expect(languageOf('The word мир in English', 'en')).toBe('en');
  expect(languageOf('42', 'fr')).toBe('fr');
});

test('a voice of the region wins, then one of the device', () => {
  const voice = (lang: string, localService: boolean, isDefault = false): SpeechSynthesisVoice => ({
    lang,
    localService,
    default: isDefault,
    name: `${lang} ${localService}`,
    voiceURI: lang,
  });
  const voices = [
    voice('en-US', false, true),
    voice('en_GB', true),
    voice('en-US', true),
    voice('de-DE', true),
  ];
  expect(chooseVoice(voices, 'en-GB')?.lang).toBe('en_GB');
  expect(chooseVoice(voices, 'en-US')?.localService).toBe(true);
  expect(chooseVoice(voices, 'de')?.lang).toBe('de-DE');
  expect(chooseVoice(voices, 'ja')).toBeUndefined();
  expect(chooseVoice([], 'en')).toBeUndefined();
});
