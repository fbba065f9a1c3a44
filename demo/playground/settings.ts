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
  /** What the widget answered to a value it does not take, by attribute. */
  readonly #refused = new Map<string, { readonly value: string; readonly reason: string }>();

  /** The container that the widget did not find on this page. */
  #awayContainer = '';

  constructor() {
    super();
    this.#read();
    addEventListener('hashchange', () => {
      // a link to a place on this page, “Skip to the playground” among them, holds no settings
      if (document.getElementById(location.hash.slice(1))) return this.#write();
      this.#read();
      this.dispatchEvent(new SettingsChangeEvent());
    });
  }

  get(attribute: string): string {
    return this.#values.get(attribute) ?? startingValue(attribute);
  }

  set(changes: Readonly<Record<string, string>>): void {
    for (const [attribute, value] of Object.entries(changes)) this.#values.set(attribute, value);
    this.#write();
    this.dispatchEvent(new SettingsChangeEvent());
  }

  /** Puts the settings into the address. */
  #write(): void {
    const address = new URLSearchParams(
      [...this.#values].filter(([name, value]) => value !== startingValue(name)),
    );
    history.replaceState(
      null,
      '',
      `${location.pathname}${location.search}${address.size > 0 ? `#${address}` : ''}`,
    );
  }

  reset(): void {
    this.#values.clear();
    this.set({});
  }

  /** Keeps what the widget said of a setting: it begins with the attribute. Anything else is passed over. */
  refuse(message: string): void {
    if (message.startsWith('container-id: ')) {
      this.#awayContainer = this.get('container-id');
      this.dispatchEvent(new SettingsChangeEvent());
    }
    const field = fields.find(({ attribute }) => message.startsWith(`${attribute} cannot be `));
    if (!field) return;
    const value = this.get(field.attribute);
    // Heard again whenever the widget reads its settings.
    if (value === field.initial || this.#refused.get(field.attribute)?.value === value) return;
    this.#refused.set(field.attribute, { value, reason: message });
    this.dispatchEvent(new SettingsChangeEvent());
  }

  /** Why the widget does not take the value that is set; empty when it does. */
  refusal(attribute: string): string {
    const refused = this.#refused.get(attribute);
    return refused?.value === this.get(attribute) ? refused.reason : '';
  }

  /** What is to be known of the value that is set; empty when there is nothing. */
  note(attribute: string): string {
    const value = this.get(attribute);
    if (attribute !== 'container-id' || !value || value !== this.#awayContainer) return '';
    return `This page has no element with the id “${value}”: the chat waits 10 s for it, then floats.`;
  }

  /** The value that is set, or what the widget does by itself where it refuses that. */
  accepted(attribute: string): string {
    return this.refusal(attribute) ? initialOf(attribute) : this.get(attribute);
  }

  /** The settings that differ from what the widget does by itself, without those it refuses. */
  chosen(): ReadonlyMap<string, string> {
    const differing = fields.filter(
      ({ attribute, initial }) => this.get(attribute) !== initial && !this.refusal(attribute),
    );
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
  return initialValues[attribute] ?? initialOf(attribute);
}

function initialOf(attribute: string): string {
  return fields.find((field) => field.attribute === attribute)?.initial ?? '';
}
