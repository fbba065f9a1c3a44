/** A chord like `Shift+F6`: what is held, and what is pressed. */
export function chord(keys: string): { readonly held: readonly string[]; readonly last: string } {
  const names = keys.split(/\+(?=.)/);
  return { held: names.slice(0, -1), last: names.at(-1) ?? '' };
}

/** What WebDriver calls a key. @source WebDriver, "Keyboard actions" */
export function webDriverKey(name: string): string {
  return codes[name] ?? name;
}

const codes: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  Space: ' ',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  F6: '\uE036',
};
