/** Runs before the page is drawn, so that a chosen colour scheme does not flash. The playground has the same key. */
const scheme = sessionStorage.getItem('playground-scheme') ?? 'auto';
if (scheme !== 'auto') document.documentElement.dataset['scheme'] = scheme;
export {};
