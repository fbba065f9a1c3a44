const key = 'playground-scheme';
const labels = { auto: 'as the system', light: 'light', dark: 'dark' } as const;
type Scheme = keyof typeof labels;
const order: readonly Scheme[] = ['auto', 'light', 'dark'];

/** Lets a button go through the colour schemes. Stored for the session. */
export function bindSchemeButton(button: HTMLButtonElement): void {
  let scheme = order.find((name) => name === sessionStorage.getItem(key)) ?? 'auto';
  const apply = (): void => {
    const root = document.documentElement;
    if (scheme === 'auto') delete root.dataset['scheme'];
    else root.dataset['scheme'] = scheme;
    button.ariaLabel = `Colours: ${labels[scheme]}`;
    button.title = button.ariaLabel;
    for (const chat of document.querySelectorAll('agent-chat')) chat.theme = scheme;
  };
  apply();
  button.addEventListener('click', () => {
    scheme = order[(order.indexOf(scheme) + 1) % order.length] ?? 'auto';
    sessionStorage.setItem(key, scheme);
    apply();
  });
}
