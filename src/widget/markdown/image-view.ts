import { css } from 'lit';
import type { InlineImage } from '../../markdown/nodes.ts';
import { addContentStrings } from '../i18n/content-strings.ts';
import { isAllowed, safeMediaUrl } from '../platform/url-policy.ts';
import { adoptStylesOnceInserted } from '../platform/adopt-styles.ts';
import type { ViewContext } from './view-context.ts';

const styles = css`
  img {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
    border-radius: var(--_radius);
  }

  .image-placeholder {
    display: inline-grid;
    gap: 2px;
    max-inline-size: 100%;
    padding: 8px 12px;
    border: 1px dashed var(--_line-field);
    border-radius: var(--_radius);
    background: var(--_raised);
    color: var(--_text);
    font: inherit;
    text-align: start;
    cursor: pointer;
  }

  .image-placeholder small {
    color: var(--_accent-text);
    font-size: var(--_size-small);
  }
`;

/** What each element shows: the image, the button that loads it, or its description. */
const shown = new WeakMap<Element, string>();

/**
 * Shows an image if the page's policy allows it, else a button that loads it: an image URL can send data out of the
 * page. Call it again when the policy changes. A loaded image stays while its URL is the same; one that fails to load
 * becomes the button again.
 */
export function showImage(placeholder: HTMLElement, image: InlineImage, context: ViewContext): void {
  const { policy } = context;
  const url = safeMediaUrl(image.source, policy.baseUrl || undefined);
  const loads = url && isAllowed(url, policy.images, policy.baseUrl);
  const before = shown.get(placeholder);
  const loaded = `image ${url?.href}`;
  const next = loads ? loaded : url ? `button ${url.href}` : 'text';
  if (next === before || (url && before === loaded)) return;
  shown.set(placeholder, next);
  adoptStylesOnceInserted(placeholder, styles.styleSheet);
  if (!url) return placeholder.replaceChildren(image.alternative);
  const load = (): void => {
    shown.set(placeholder, loaded);
    const element = createLoaded(url, image);
    element.addEventListener('error', offer, { once: true });
    replaceFocused(placeholder, element);
  };
  const offer = (): void => replaceFocused(placeholder, createButton(url, { image, context, load }));
  if (loads) load();
  else offer();
}

interface ButtonOptions {
  readonly image: InlineImage;
  readonly context: ViewContext;
  readonly load: () => void;
}

function createButton(url: URL, { image, context, load }: ButtonOptions): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'image-placeholder';
  button.part.add('media-load');
  const name = document.createElement('span');
  name.textContent = image.alternative;
  const action = document.createElement('small');
  context.labels.add(action, () => void labelAction(action, url, context));
  button.append(name, action);
  button.addEventListener('click', (event) => {
    event.preventDefault(); // in a link, whose host the button does not name
    load();
  });
  return button;
}

/** Names the host that an image comes from. The message itself contains one with a `data:` URL. */
async function labelAction(action: HTMLElement, { host }: URL, { words }: ViewContext): Promise<void> {
  if (!host) await addContentStrings(words);
  action.textContent = host ? words.t('markdown.load-image', { host }) : words.t('media.show-image');
}

/** Replaces an element's content, and keeps focus. */
function replaceFocused(placeholder: HTMLElement, content: HTMLElement): void {
  const hadFocus = placeholder.matches(':focus-within');
  if (hadFocus && content instanceof HTMLImageElement) content.tabIndex = -1;
  placeholder.replaceChildren(content);
  if (hadFocus) content.focus();
}

function createLoaded(url: URL, image: InlineImage): HTMLImageElement {
  const element = document.createElement('img');
  element.alt = image.alternative;
  if (image.title) element.title = image.title;
  element.loading = 'lazy';
  element.decoding = 'async';
  element.referrerPolicy = 'no-referrer';
  element.part.add('image');
  element.src = url.href;
  return element;
}
