import { LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { SettingsChangeEvent, type Settings } from './settings.ts';

/**
 * Base class of the playground's parts. Renders into the page itself, so that one style sheet applies, and follows
 * the settings.
 */
export class PlaygroundElement extends LitElement {
  @property({ attribute: false }) settings: Settings | undefined;

  readonly #settingsChanged = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.settings?.addEventListener(SettingsChangeEvent.type, this.#settingsChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.settings?.removeEventListener(SettingsChangeEvent.type, this.#settingsChanged);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('settings')) return;
    this.settings?.addEventListener(SettingsChangeEvent.type, this.#settingsChanged);
  }

  /** Registers a part under its tag. */
  static register(tag: `playground-${string}`): void {
    if (!customElements.get(tag)) customElements.define(tag, this);
  }
}
