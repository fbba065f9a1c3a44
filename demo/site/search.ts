import MiniSearch from 'minisearch';
import { indexOptions, searchDocuments, type Hit } from './search-documents.ts';

/** Searches the documents while one types in a field. Loads the index when it is called. */
export function bindSearch(field: HTMLInputElement): void {
  const list = document.querySelector<HTMLUListElement>('#hits');
  const status = document.querySelector<HTMLElement>('.search [role="status"]');
  if (!list || !status) return;
  const index = loadIndex();
  let chosen = -1;

  const choose = (place: number): void => {
    const options = [...list.children];
    chosen = options.length === 0 ? -1 : (place + options.length) % options.length;
    for (const [at, option] of options.entries()) option.ariaSelected = String(at === chosen);
    options[chosen]?.scrollIntoView({ block: 'nearest' });
    if (chosen < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', options[chosen]?.id ?? '');
  };
  const show = (hits: readonly Hit[]): void => {
    list.replaceChildren(...hits.map(optionOf));
    list.hidden = hits.length === 0;
    field.ariaExpanded = String(hits.length > 0);
    choose(-1);
    chosen = -1;
    for (const option of list.children) option.ariaSelected = 'false';
    field.removeAttribute('aria-activedescendant');
  };
  const update = async (): Promise<void> => {
    const query = field.value.trim();
    try {
      const hits = query === '' ? [] : searchDocuments(await index, query);
      if (query !== field.value.trim()) return; // the visitor typed on
      show(hits);
      status.textContent = query === '' ? '' : hits.length === 1 ? '1 result' : `${hits.length} results`;
    } catch {
      status.textContent = 'The search could not be loaded.';
    }
  };

  field.addEventListener('input', () => void update());
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(event.key === 'ArrowDown' ? chosen + 1 : Math.max(chosen, 0) - 1);
    } else if (event.key === 'Enter') {
      list.children[Math.max(chosen, 0)]?.querySelector('a')?.click();
    } else if (event.key === 'Escape') show([]);
  });
  field.addEventListener('blur', (event) => {
    if (!(event.relatedTarget instanceof Node && list.contains(event.relatedTarget))) show([]);
  });
  field.addEventListener('focus', () => void update());
  // a press on a result must not take the focus first, or the list would go before the click
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', () => show([]));
  void update();
}

async function loadIndex(): Promise<MiniSearch> {
  const response = await fetch(new URL('search.json', document.baseURI));
  if (!response.ok) throw new Error(`search.json answered ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), indexOptions);
}

function optionOf({ address, title, page }: Hit, place: number): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `hit-${place}`;
  item.role = 'option';
  const link = document.createElement('a');
  link.href = address;
  link.tabIndex = -1;
  link.append(title);
  if (title !== page) {
    const where = document.createElement('small');
    where.textContent = page;
    link.append(' ', where);
  }
  item.append(link);
  return item;
}
