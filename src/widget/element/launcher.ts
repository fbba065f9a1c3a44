import { html, nothing, type TemplateResult } from 'lit';
import type { Config } from '../config/config-table.ts';
import type { Strings } from '../i18n/create-strings.ts';

/** State and callbacks of the launcher. */
export interface LauncherOptions {
  readonly open: boolean;
  /** True while the panel loads. */
  readonly loading: boolean;
  /** True when the panel could not be loaded. */
  readonly failed: boolean;
  /** True when the panel is rendered beside the launcher. */
  readonly hasPanel: boolean;
  /** True when the panel's code has loaded. */
  readonly hasRuntime: boolean;
  readonly unread: number;
  readonly words: Strings;
  readonly onClick: () => void;
  /** Called when the visitor shows intent: a pointer comes (a finger touches), or focus. */
  readonly onIntent: () => void;
}

/** The round button in the corner, with its badge, and the panel's outline while its code loads. */
export function renderLauncher(options: LauncherOptions): TemplateResult {
  const { open, loading, failed, hasPanel, hasRuntime, unread, words, onClick, onIntent } = options;
  const state = failed ? 'failed' : loading ? 'loading' : open && hasPanel ? 'covered' : '';
  return html`<button
      class="launcher ${state}"
      part="launcher"
      type="button"
      aria-expanded=${open}
      aria-label=${label(options)}
      title=${failed ? words.t('launcher.failed') : nothing}
      @click=${onClick}
      @pointerenter=${onIntent}
      @focus=${onIntent}
    >
      <slot name="launcher-icon"
        ><svg viewBox="0 0 24 24" aria-hidden="true">
          <path d=${open && hasRuntime ? 'M6 9l6 6 6-6' : 'M4 5h16v11H9l-5 4z'} /></svg
      ></slot>
      ${
        unread > 0 && !open
          ? html`<span class="badge" part="badge" aria-hidden="true">${unread > 99 ? '99+' : unread}</span>`
          : nothing
      }
    </button>
    ${loading ? html`<div class="skeleton"></div>` : nothing}`;
}

function label({ open, loading, failed, unread, words }: LauncherOptions): string {
  if (failed) return words.t('launcher.failed');
  if (loading) return words.t('launcher.loading');
  if (open) return words.t('launcher.close');
  return unread > 0 ? words.t('launcher.unread', { count: unread }) : words.t('launcher.open');
}

/** Whether the style sheet can derive the launcher's colours; engines from before mid-2024 cannot. */
const hasRelativeColours =
  (globalThis.CSS as typeof CSS | undefined)?.supports(
    'color',
    'light-dark(color(from red xyz-d65 calc(x / y) y z), red)',
  ) ?? true; // jsdom has no `CSS`

/** Gives the host's colours and theme to the style of the layer around the launcher. */
export function applyLauncherTheme(
  style: CSSStyleDeclaration,
  { accentColor, primaryColor, theme }: Config,
): void {
  style.setProperty('--_primary', primaryColor);
  style.setProperty('--_host-accent', accentColor);
  style.colorScheme = theme === 'auto' ? '' : theme;
  if (hasRelativeColours) return;
  void import('../theme/launcher-colours.ts').then(({ applyLauncherColours }) =>
    applyLauncherColours(style, accentColor, theme),
  );
}
