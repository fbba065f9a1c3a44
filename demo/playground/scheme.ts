const key = 'playground-scheme';

/** Light, dark or the system's scheme, for this page; the widget has its own setting. Stored for the session. */
export function bindScheme(inputs: NodeListOf<HTMLInputElement>): void {
  const apply = (scheme: string) => {
    if (scheme === 'auto') delete document.documentElement.dataset['scheme'];
    else document.documentElement.dataset['scheme'] = scheme;
  };
  const kept = sessionStorage.getItem(key) ?? 'auto';
  apply(kept);
  for (const input of inputs) {
    input.checked = input.value === kept;
    input.addEventListener('change', () => {
      sessionStorage.setItem(key, input.value);
      apply(input.value);
    });
  }
}
