const displayNames: Readonly<Record<string, string>> = {
  bash: 'Shell',
  sh: 'Shell',
  shell: 'Shell',
  console: 'Shell',
  zsh: 'Shell',
  c: 'C',
  cpp: 'C++',
  'c++': 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  html: 'HTML',
  xml: 'XML',
  java: 'Java',
  js: 'JavaScript',
  javascript: 'JavaScript',
  jsx: 'JSX',
  json: 'JSON',
  kotlin: 'Kotlin',
  md: 'Markdown',
  markdown: 'Markdown',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  ruby: 'Ruby',
  rs: 'Rust',
  rust: 'Rust',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  tsx: 'TSX',
  yaml: 'YAML',
  yml: 'YAML',
};

/** The language in a code fence's info string: its first word, in lower case. */
export function languageOf(info: string): string {
  return /^[^\s,{:]+/.exec(info)?.[0].toLowerCase() ?? '';
}

/** Display name of the language in an info string; the language itself if it is unknown, `''` if there is none. */
export function languageName(info: string): string {
  const language = languageOf(info);
  return Object.hasOwn(displayNames, language) ? (displayNames[language] ?? language) : language.slice(0, 40);
}
