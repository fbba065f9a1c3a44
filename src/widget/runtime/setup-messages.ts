/**
 * What a page has left out or cannot reach. `isRefused`: the service refused the attribute `token`. `url` is the address
 * of `token-url`, `status` the HTTP status of its response.
 */
export type SetupProblem =
  | { readonly code: 'disclosure' | 'token-attribute' }
  | { readonly code: 'token-missing'; readonly isRefused: boolean }
  | { readonly code: 'token-url'; readonly url: string; readonly status?: number };

/** What is wrong, and what to do. */
export function setupMessage(problem: SetupProblem): string {
  switch (problem.code) {
    case 'disclosure':
      return 'disclosure is off: where the law asks for it, the page must say itself that an AI answers (EU AI Act, Article 50).';
    case 'token-attribute':
      return 'token is for development only; use token-url or tokenProvider in production.';
    case 'token-missing':
      return `${problem.isRefused ? 'The service refused the value of token' : 'There is no token'}: set token-url or tokenProvider, or answer agent-chat-token-needed.`;
    case 'token-url':
      return tokenUrlMessage(problem.url, problem.status);
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
