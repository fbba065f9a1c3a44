/**
 * What a page has left out, misspelt or cannot reach. `url` is the address of `token-url`, `status` the HTTP status of
 * its response; `name` is the attribute that is none of the `settings`.
 */
export type SetupProblem =
  | { readonly code: 'disclosure' | 'token-attribute' | 'token-missing' }
  | { readonly code: 'token-url'; readonly url: string; readonly status?: number }
  | { readonly code: 'unknown-attribute'; readonly name: string; readonly settings: readonly string[] };

/** What is wrong, and what to do; undefined for an attribute that resembles no setting. */
export function setupMessage(problem: SetupProblem): string | undefined {
  switch (problem.code) {
    case 'disclosure':
      return 'disclosure is off: where the law asks for it, the page must say itself that an AI answers (EU AI Act, Article 50).';
    case 'token-attribute':
      return 'token is for development only; use token-url or tokenProvider in production.';
    case 'token-missing':
      return 'There is no token: set token-url or tokenProvider, or answer agent-chat-token-needed.';
    case 'token-url':
      return tokenUrlMessage(problem.url, problem.status);
    case 'unknown-attribute':
      return unknownAttributeMessage(problem.name, problem.settings);
  }
}

function tokenUrlMessage(url: string, status: number | undefined): string {
  const body = '{"token": "…"}';
  switch (status) {
    case undefined:
      return `token-url cannot be reached: ${url}. Check the address, the page's CSP and, on another origin or file:, CORS.`;
    case 401:
    case 403:
      return `token-url returned no token: ${url} answered ${status}: nobody is signed in. For signed-in visitors, answer 200 with ${body}.`;
    case 200:
      return `token-url returned no token: ${url} answered 200, but not with ${body}.`;
    default:
      return `token-url returned no token: ${url} answered ${status}. It must answer 200 with ${body}.`;
  }
}

function unknownAttributeMessage(name: string, settings: readonly string[]): string | undefined {
  const prefix = name.startsWith('data-') ? 'data-' : '';
  const letters = lettersOf(name.slice(prefix.length));
  const changes = letters.length < 8 ? 1 : 2;
  const setting = settings.find((other) => distanceOf(letters, lettersOf(other)) <= changes);
  return setting && `There is no attribute ${name}: use ${prefix}${setting}.`;
}

/** HTML reads `accentColor`, as JSX and scripts write it, as `accentcolor`. */
function lettersOf(attribute: string): string {
  return attribute.replaceAll(/[-_]/g, '');
}

/** The number of letters to replace, add or remove. @source Levenshtein distance */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const [diagonal = 0, above = 0] = row.slice(column);
      const left = next[column] ?? 0;
      next.push(Math.min(left + 1, above + 1, diagonal + Number(letter !== otherLetter)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
