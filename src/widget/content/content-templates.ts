import { html, nothing } from 'lit';
import { mismatchedHost } from '../markdown/deceptive-links.ts';
import { safeLinkUrl } from '../platform/url-policy.ts';
import { icon, nextIcon } from '../theme/icons.ts';
import { externalIcon } from '../theme/item-icons.ts';
import type { Strings } from '../i18n/strings.ts';
import { details, text, type Fields } from './read-item.ts';

/** Options of a heading. */
interface HeadingOptions {
  /** Id of the title. */
  readonly id?: string;
  /** `::part` names of the title. Default `item-title`. */
  readonly parts?: string;
}

/** Renders the title and the description of an item above it; nothing if it has none. */
export function renderItemHeading(fields: Fields, options?: HeadingOptions): unknown {
  return renderHeading(text(fields['title']), text(fields['description'], 2000), options);
}

/** Renders a title and a description above an item; nothing if both are empty. */
export function renderHeading(
  title: string,
  description: string,
  { id, parts = 'item-title' }: HeadingOptions = {},
): unknown {
  if (!title.trim() && !description.trim()) return nothing;
  return html`<div class="heading">
    ${
      title.trim()
        ? html`<p class="title clamped" part=${parts} id=${id ?? nothing} dir="auto">${title}</p>`
        : nothing
    }
    ${
      description.trim()
        ? html`<p class="description clamped" part="item-description" dir="auto">${description}</p>`
        : nothing
    }
  </div>`;
}

/** Renders a small button with an icon. */
export function renderIconButton(
  shape: string,
  { id, label, onClick }: { readonly id?: string; readonly label: string; onClick(event: Event): void },
): unknown {
  return html`<button
    type="button"
    class="icon-button small"
    id=${id ?? nothing}
    aria-label=${label}
    @click=${onClick}
  >
    ${icon(shape)}
  </button>`;
}

/** Renders data for developers in a closed disclosure. */
export function renderDetails(words: Strings, value: unknown): unknown {
  const shown = details(value);
  if (!shown || shown === '{}') return nothing;
  return html`<details part="item-details">
    <summary>${icon(nextIcon, 'directional')}${words.t('notice.details')}</summary>
    <pre>${shown}</pre>
  </details>`;
}

/**
 * Renders a link that opens in a new tab, or only its label if the URL is not safe.
 * @param style classes of the link. Default `link`.
 */
export function renderExternalLink(words: Strings, url: unknown, label: string, style = 'link'): unknown {
  const address = safeLinkUrl(url);
  if (!address) return html`<span part="item-link" title=${words.t('link.refused')}>${label}</span>`;
  return html`<a
    class=${style}
    part="item-link"
    href=${address.href}
    target="_blank"
    rel="noopener noreferrer"
    >${label}${icon(externalIcon)}<span class="visually-hidden">, ${words.t('content.new-tab')}</span></a
  >`;
}

/** Adds the real host of a URL to a label of the agent that looks like another address. */
export function withRealHost(label: string, url: unknown): string {
  const address = safeLinkUrl(url);
  const real = address && mismatchedHost(label, address);
  // isolated from each other: a label may reverse what follows
  return real === undefined ? label : `\u2068${label}\u2069 (\u2066${real}\u2069)`;
}

/** Returns the host name without `www.`, or the scheme if the URL has no host. */
export function hostnameOf(address: URL): string {
  return address.host.replace(/^www\./, '') || address.protocol.replace(':', '');
}
