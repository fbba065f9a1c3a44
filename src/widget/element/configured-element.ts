import { ReactiveElement } from '@lit/reactive-element';
import type { ConfigProperties } from '../config/config-properties.ts';
import {
  configKeys,
  configTable,
  keyOfAttribute,
  type Config,
  type ConfigKey,
} from '../config/config-table.ts';
import { ConfigResolver, configFromJson, type RawConfig } from '../config/config-resolver.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { hostOptionNames, type HostOptions } from '../config/host-options.ts';
import type { PageTool } from '../config/page-tool.ts';

/**
 * Resolves an element's settings from attributes and properties, `layout`, the JSON inside, the published config
 * and the script tag, in this order of precedence. Subclasses render from `config`.
 */
class ConfiguredElementBase extends ReactiveElement {
  /** Settings of the script tag, for elements that the page creates itself. */
  static scriptConfig: RawConfig = {};

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...keyOfAttribute.keys()];
  }

  readonly #resolver = new ConfigResolver(
    () => this.requestUpdate(),
    (key, value) => {
      import('./report-invalid-setting.ts').then(
        (module) => module.reportInvalidSetting(this, key, value),
        () => undefined, // it is ignored all the same
      );
    },
  );
  readonly #options: HostOptions = {};
  /** @internal */
  readonly registeredTools: Map<string, PageTool> = new Map();
  #json: Readonly<Record<string, unknown>> = {};
  #observer: MutationObserver | undefined;

  /** The settings in force. Every change creates a new object. */
  get config(): Config {
    return this.#resolver.config;
  }

  /** The JSON inside the element, in the API's own shape; `{}` if there is none. */
  get jsonConfig(): Readonly<Record<string, unknown>> {
    return this.#json;
  }

  /**
   * Returns a host option: the property, else the value in the JSON.
   * @internal
   */
  option<Name extends keyof HostOptions>(name: Name): HostOptions[Name] {
    const inJson = hostOptionNames[name];
    const value = this.#options[name] ?? (inJson === undefined ? undefined : this.#json[inJson]);
    return value as HostOptions[Name]; // unchecked; `readOption` validates it
  }

  /**
   * Sets a host option; `undefined` removes it.
   * @internal
   */
  setOption<Name extends keyof HostOptions>(name: Name, value: HostOptions[Name]): void {
    this.#options[name] = value;
    this.requestUpdate();
  }

  /**
   * Offers a function of the page to the agent, which may call it with the visitor's consent; replaces a tool of the
   * same name. An invalid tool, or one beyond the 64th, is left out with a diagnostic. Returns a function that removes
   * the tool.
   */
  registerTool(tool: PageTool): () => void {
    const { registeredTools: tools } = this;
    const own = Object(tool) as PageTool; // untyped pages may pass anything
    const { name } = own;
    tools.set(name, own);
    this.requestUpdate();
    return () => {
      if (tools.get(name) === own) tools.delete(name);
      this.requestUpdate();
    };
  }

  /** The chat's look in the API's own shape. Overrides the JSON; single attributes and properties override it. */
  set layout(layout: Readonly<Record<string, unknown>> | undefined) {
    this.#resolver.replace('layout', configFromJson({ layout }));
  }

  get layout(): Readonly<Record<string, unknown>> {
    const json: { layout?: Record<string, unknown> } = {};
    for (const key of configKeys) {
      const path = configTable[key].api.split('.');
      const last = path.pop() ?? '';
      let object: Record<string, unknown> = json;
      // the loop creates these objects
      for (const name of path) object = (object[name] ??= {}) as Record<string, unknown>;
      object[last] = this.config[key];
    }
    return json.layout ?? {};
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.readSettings();
    this.#observer ??= new MutationObserver(() => {
      this.#readJson();
      this.requestUpdate();
    });
    this.#observer.observe(this, { childList: true, characterData: true, subtree: true });
    this.#observer.observe(document.documentElement, { attributeFilter: ['lang', 'dir'] });
  }

  /**
   * Reads the settings that are not attributes: properties set before the element was defined, the script tag's
   * data, the JSON inside.
   */
  protected readSettings(): void {
    for (const name of [...configProperties, ...optionNames, 'layout']) {
      if (!Object.hasOwn(this, name)) continue; // set before the element was defined
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#resolver.replace('script', this.defaults);
    this.#readJson();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(name, before, value);
    const key = keyOfAttribute.get(name);
    if (key) this.setConfig(key, value);
  }

  /** Settings of the script tag that created this element. */
  protected get defaults(): RawConfig {
    return (this.constructor as typeof ConfiguredElementBase).scriptConfig; // set on the registered subclass
  }

  /**
   * Sets one setting, like the element's own attribute; `undefined` or `null` removes it.
   * @internal
   */
  setConfig(key: ConfigKey, raw: unknown): void {
    this.#resolver.set('element', key, raw);
  }

  /**
   * Applies the published config, in the API's own shape.
   * @internal
   */
  applyPublishedConfig(json: unknown): void {
    this.#resolver.replace('published', configFromJson(json));
  }

  #readJson(): void {
    const text = [...this.children]
      .find((child) => child.localName === 'script' && child.getAttribute('type') === 'application/json')
      ?.textContent.trim();
    let json: unknown = {};
    try {
      if (text) json = JSON.parse(text);
    } catch (cause) {
      diagnose(
        this,
        'invalid-json',
        `The JSON inside <agent-chat> cannot be read: ${(cause as Error).message}`,
      );
      return;
    }
    if (typeof json !== 'object' || json === null) return;
    if (JSON.stringify(json) === JSON.stringify(this.#json)) return;
    this.#json = json as Record<string, unknown>; // checked to be an object
    this.#resolver.replace('json', configFromJson(json));
    this.requestUpdate();
  }
}

const optionNames = Object.keys(hostOptionNames) as (keyof HostOptions)[]; // the keys of a literal
const configProperties = configKeys.filter((key) => key !== 'lang' && key !== 'dir');

for (const key of configProperties) {
  Object.defineProperty(ConfiguredElementBase.prototype, key, {
    configurable: true,
    enumerable: true,
    get(this: ConfiguredElementBase) {
      return this.config[key];
    },
    set(this: ConfiguredElementBase, value: unknown) {
      this.setConfig(key, value);
    },
  });
}

for (const name of optionNames) {
  Object.defineProperty(ConfiguredElementBase.prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: ConfiguredElementBase) {
      return this.option(name);
    },
    set(this: ConfiguredElementBase, value: never) {
      this.setOption(name, value);
    },
  });
}

/** `ConfiguredElementBase` with every setting and option as a typed property. */
export const ConfiguredElement = ConfiguredElementBase as unknown as Omit<
  typeof ConfiguredElementBase,
  'prototype'
> &
  (new () => ConfiguredElementBase & ConfigProperties & HostOptions); // the accessors are defined above
