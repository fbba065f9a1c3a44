import { withHash } from './colour.ts';
import type { Field } from './field.ts';
import { documentsField, fields } from './fields.ts';
import { lookFields } from './look-fields.ts';
import { looks, lookSettings, type Look } from './looks.ts';

/** Initial settings that differ from the widget's defaults. */
const initialValues: Readonly<Record<string, string>> = { 'agent-id': 'demo', ...looks[0]?.settings };

const allFields: readonly Field[] = [...fields, ...lookFields, documentsField];

/** Fired when a setting has changed. */
export class SettingsChangeEvent extends Event {
  static readonly type = 'settings-change';
  constructor() {
    super(SettingsChangeEvent.type);
  }
}

/**
 * The settings of the page, by attribute name. Stored in the URL's fragment (`#primary-color=…`), so that they
 * survive a reload and can be shared.
 */
export class Settings extends EventTarget {
  readonly #values = new Map<string, string>();
  /** The widget's message about each invalid value, by attribute. */
  readonly #refused = new Map<string, { readonly value: string; readonly reason: string }>();

  /** The value in force before the current one, by attribute. */
  readonly #former = new Map<string, string>();

  /** Id of a container that does not exist on this page. */
  #awayContainer = '';

  constructor() {
    super();
    this.#read();
    addEventListener('hashchange', () => {
      // fragments that refer to an element, such as "Skip to the playground", contain no settings
      if (document.getElementById(location.hash.slice(1))) return this.#write();
      this.#read();
      this.dispatchEvent(new SettingsChangeEvent());
    });
  }

  get(attribute: string): string {
    return this.#values.get(attribute) ?? startingValue(attribute);
  }

  set(changes: Readonly<Record<string, string>>): void {
    for (const [attribute, value] of Object.entries(changes)) {
      this.#former.set(attribute, this.accepted(attribute));
      this.#values.set(attribute, value);
    }
    this.#write();
    this.dispatchEvent(new SettingsChangeEvent());
  }

  /** Writes the settings to the URL. */
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

  /** Applies a look. The name stays if the visitor has written one. */
  applyLook(look: Look): void {
    const isOwnName = looks.every(({ settings }) => settings['heading'] !== this.get('heading'));
    const { heading = '', ...rest } = look.settings;
    const unset = Object.fromEntries(lookSettings.map((name) => [name, initialOf(name)]));
    this.set({ ...unset, ...rest, ...(isOwnName ? {} : { heading }) });
  }

  /** Whether the current settings are those of a look. */
  matches(look: Look): boolean {
    return lookSettings.every((name) => this.accepted(name) === (look.settings[name] ?? initialOf(name)));
  }

  reset(): void {
    this.#values.clear();
    this.#former.clear();
    this.set({});
  }

  /** Stores the widget's message about a setting, which starts with the attribute; ignores other messages. */
  refuse(message: string): void {
    if (message.startsWith('container-id: ')) {
      this.#awayContainer = this.get('container-id');
      this.dispatchEvent(new SettingsChangeEvent());
    }
    const field = fields.find(({ attribute }) => message.startsWith(`${attribute} cannot be `));
    if (!field) return;
    const value = this.get(field.attribute);
    // reported again whenever the widget reads its settings
    if (value === field.initial || this.#refused.get(field.attribute)?.value === value) return;
    this.#refused.set(field.attribute, { value, reason: message });
    this.dispatchEvent(new SettingsChangeEvent());
  }

  /** Why the widget rejects the current value; empty if it is valid. */
  refusal(attribute: string): string {
    const refused = this.#refused.get(attribute);
    return refused?.value === this.get(attribute) ? refused.reason : '';
  }

  /** A note about the current value; empty if there is none. */
  note(attribute: string): string {
    const value = this.get(attribute);
    if (attribute !== 'container-id' || !value || value !== this.#awayContainer) return '';
    return `This page has no element with the id “${value}”: the chat waits 10 s for it, then floats.`;
  }

  /**
   * The value in force, which preview, swatch and snippet have: the current one; the one before it if it is invalid;
   * the widget's default for an empty colour.
   */
  accepted(attribute: string): string {
    const value = this.refusal(attribute)
      ? (this.#former.get(attribute) ?? initialOf(attribute))
      : this.get(attribute);
    const isColour = fields.some((field) => field.attribute === attribute && field.control === 'colour');
    return isColour ? withHash(value) || initialOf(attribute) : value;
  }

  /** The settings in force that differ from the widget's defaults. */
  chosen(): ReadonlyMap<string, string> {
    const differing = fields.filter(({ attribute, initial }) => this.accepted(attribute) !== initial);
    // the agent comes first, because readers of the snippet look for it
    differing.sort((a, b) => Number(b.attribute === 'agent-id') - Number(a.attribute === 'agent-id'));
    return new Map(differing.map(({ attribute }) => [attribute, this.accepted(attribute)]));
  }

  #read(): void {
    const address = new URLSearchParams(location.hash.slice(1));
    this.#values.clear();
    this.#former.clear();
    for (const { attribute } of allFields) {
      const value = address.get(attribute);
      if (value !== null) this.#values.set(attribute, value);
    }
  }
}

function startingValue(attribute: string): string {
  return initialValues[attribute] ?? initialOf(attribute);
}

function initialOf(attribute: string): string {
  return allFields.find((field) => field.attribute === attribute)?.initial ?? '';
}
