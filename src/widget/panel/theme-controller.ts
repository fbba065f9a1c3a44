import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PanelConfig } from '../contexts.ts';
import { matchMediaSafe } from '../platform/media-queries.ts';
import { applyTheme, hostSurface } from '../theme/apply-theme.ts';
import { deriveTheme } from '../theme/derive-theme.ts';

/** A panel that carries the theme for everything inside. */
export interface ThemedPanel extends ReactiveControllerHost, HTMLElement {
  readonly panel: PanelConfig;
}

/** Sets the theme of the settings on the panel, and sets it again when the visitor's preferences change. */
export class ThemeController implements ReactiveController {
  readonly #host: ThemedPanel;
  readonly #dark = matchMediaSafe('(prefers-color-scheme: dark)');
  readonly #moreContrast = matchMediaSafe('(prefers-contrast: more)');
  readonly #print = matchMediaSafe('print');
  readonly #queries = [this.#dark, this.#moreContrast, this.#print];

  constructor(host: ThemedPanel) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    if ((this.#host as Partial<ThemedPanel>).panel) this.apply(); // it may have missed a change
    for (const query of this.#queries) query.addEventListener('change', this.apply);
  }

  hostDisconnected(): void {
    for (const query of this.#queries) query.removeEventListener('change', this.apply);
  }

  /** Call it when the settings have changed. */
  readonly apply = (): void => {
    const { config } = this.#host.panel;
    const isDark = config.theme === 'auto' ? this.#dark.matches : config.theme === 'dark';
    const scheme = isDark && !this.#print.matches ? 'dark' : 'light';
    const surface = hostSurface(this.#host, scheme);
    const theme = deriveTheme({
      primary: config.primaryColor,
      second: config.secondColor,
      accent: config.accentColor,
      scheme,
      contrast: this.#moreContrast.matches ? 'more' : 'standard',
      ...(surface ? { surface } : {}),
    });
    applyTheme(this.#host, theme, scheme);
  };
}
