import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PanelConfig } from '../contexts.ts';
import { loadModule } from '../platform/load-module.ts';
import { matchMediaSafe } from '../platform/media-queries.ts';
import { layoutColours } from '../theme/derived-colours.styles.ts';
import { hasRelativeColours } from '../theme/has-relative-colours.ts';
import { hostSurface } from '../theme/host-surface.ts';
import type { ComputedTheme } from './computed-theme.ts';

/** A panel that carries the theme for everything inside. */
export interface ThemedPanel extends ReactiveControllerHost, HTMLElement {
  readonly panel: PanelConfig;
}

/**
 * Hands the page's colours to the panel's style sheet, which derives the others. Where it cannot, loads the code that
 * computes them: on a page's own surface, for more contrast, and in engines without relative colours.
 */
export class ThemeController implements ReactiveController {
  /** Resolves when that code has loaded or failed to load; undefined while it does not load. */
  loading: Promise<void> | undefined;
  readonly #host: ThemedPanel;
  readonly #moreContrast = matchMediaSafe('(prefers-contrast: more)');
  #computed: ComputedTheme | undefined;

  constructor(host: ThemedPanel) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#moreContrast.addEventListener('change', this.apply);
    this.apply();
  }

  hostDisconnected(): void {
    this.#moreContrast.removeEventListener('change', this.apply);
  }

  /** Call it when the settings have changed. */
  readonly apply = (): void => {
    const host = this.#host;
    const { config } = host.panel;
    const mustCompute =
      !hasRelativeColours ||
      this.#moreContrast.matches ||
      (['light', 'dark'] as const).some((scheme) => hostSurface(host, scheme));
    host.style.setProperty(layoutColours.primary, config.primaryColor);
    host.style.setProperty(layoutColours.second, config.secondColor);
    if (this.#computed) this.#computed.update(mustCompute ? config : undefined);
    else if (mustCompute) this.loading ??= this.#load();
  };

  async #load(): Promise<void> {
    const module = await loadModule(this.#host, 'colours', () => import('./computed-theme.ts'));
    this.loading = undefined;
    if (!module) return;
    this.#computed = new module.ComputedTheme(this.#host);
    this.apply();
  }
}
