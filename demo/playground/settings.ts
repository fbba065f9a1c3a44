import { fields } from './fields.ts';

/** What the playground starts with where that is not the widget's own default. */
const initialValues: Readonly<Record<string, string>> = { 'agent-id': 'demo', heading: 'Harbour Help' };

/** Told whenever a setting has changed. */
export class SettingsChangeEvent extends Event {
  static readonly type = 'settings-change';
  constructor() {
    super(SettingsChangeEvent.type);
  }
}

/**
 * The settings chosen on the page, by attribute name. They are kept in the address (`#primary-color=…`), so that a
 * reload keeps them and a link shares them.
 */
export class Settings extends EventTarget {
  readonly #values = new Map<string, string>();

  constructor() {
    super();
    this.#read();
    addEventListener('hashchange', () => {
      this.#read();
      this.dispatchEvent(new SettingsChangeEvent());
    });
  }

  get(attribute: string): string {
    return this.#values.get(attribute) ?? startingValue(attribute);
  }

  set(changes: Readonly<Record<string, string>>): void {
    for (const [attribute, value] of Object.entries(changes)) this.#values.set(attribute, value);
    const address = new URLSearchParams(
      [...this.#values].filter(([name, value]) => value !== startingValue(name)),
    );
    history.replaceState(
      null,
      '',
      `${location.pathname}${location.search}${address.size > 0 ? `#${address}` : ''}`,
    );
    this.dispatchEvent(new SettingsChangeEvent());
  }

  reset(): void {
    this.#values.clear();
    this.set({});
  }

  /** The settings that differ from what the widget does by itself. */
  chosen(): ReadonlyMap<string, string> {
    const differing = fields.filter(({ attribute, initial }) => this.get(attribute) !== initial);
    // The agent comes first: it is what a reader of the snippet looks for.
    differing.sort((a, b) => Number(b.attribute === 'agent-id') - Number(a.attribute === 'agent-id'));
    return new Map(differing.map(({ attribute }) => [attribute, this.get(attribute)]));
  }

  #read(): void {
    const address = new URLSearchParams(location.hash.slice(1));
    this.#values.clear();
    for (const { attribute } of fields) {
      const value = address.get(attribute);
      if (value !== null) this.#values.set(attribute, value);
    }
  }
}

function startingValue(attribute: string): string {
  return initialValues[attribute] ?? fields.find((field) => field.attribute === attribute)?.initial ?? '';
}
