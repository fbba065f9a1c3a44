import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PanelConfig } from '../contexts.ts';
import { matchMediaSafe } from '../platform/media-queries.ts';
import { applyTheme, removeTheme } from '../theme/apply-theme.ts';
import { deriveTheme, type Theme } from '../theme/derive-theme.ts';
import { hostSurface } from '../theme/host-surface.ts';

type Config = PanelConfig['config'];

/** Sets computed colours on the panel in place of those of its style sheet. Loaded only where that cannot derive them. */
export class ComputedTheme implements ReactiveController {
  readonly #panel: HTMLElement;
  readonly #dark = matchMediaSafe('(prefers-color-scheme: dark)');
  readonly #moreContrast = matchMediaSafe('(prefers-contrast: more)');
  readonly #print = matchMediaSafe('print');
  #config: Config | undefined;
  #theme: Theme | undefined;

  constructor(panel: HTMLElement & ReactiveControllerHost) {
    this.#panel = panel;
    panel.addController(this);
  }

  hostConnected(): void {
    for (const query of [this.#dark, this.#print]) query.addEventListener('change', this.#compute);
  }

  hostDisconnected(): void {
    for (const query of [this.#dark, this.#print]) query.removeEventListener('change', this.#compute);
  }

  /** Computes the colours of these settings; without settings, the style sheet's apply again. */
  update(config: Config | undefined): void {
    this.#config = config;
    if (config) this.#compute();
    else if (this.#theme) removeTheme(this.#panel, this.#theme);
  }

  readonly #compute = (): void => {
    const config = this.#config;
    if (!config) return;
    const isDark = config.theme === 'auto' ? this.#dark.matches : config.theme === 'dark';
    const scheme = isDark && !this.#print.matches ? 'dark' : 'light';
    this.#theme = deriveTheme({
      primary: config.primaryColor,
      second: config.secondColor,
      accent: config.accentColor,
      surface: hostSurface(this.#panel, scheme),
      scheme,
      contrast: this.#moreContrast.matches ? 'more' : 'standard',
    });
    applyTheme(this.#panel, this.#theme, scheme);
  };
}
