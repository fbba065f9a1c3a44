import type { InlineImage } from '../../markdown/nodes.ts';
import { isAllowed, safeSource } from '../platform/url-policy.ts';
import type { ViewContext } from './view-context.ts';

/**
 * An image where the host's rules let it load, else a button that loads it when the visitor wants to. An image of a
 * text is a way to send data out of the page, so nothing loads unasked.
 */
export function createImage(image: InlineImage, context: ViewContext): ChildNode {
  const { policy, labels } = context;
  const url = safeSource(image.source, policy.baseUrl || undefined);
  if (!url) return document.createTextNode(image.alternative);
  if (isAllowed(url, policy.images, policy.baseUrl)) return createLoaded(url, image);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'image-placeholder';
  button.part.add('media-load');
  const name = document.createElement('span');
  name.textContent = image.alternative;
  const action = document.createElement('small');
  labels.add(action, () => {
    action.textContent = context.words.say('markdown.load-image', { host: url.host || url.protocol });
  });
  button.append(name, action);
  button.addEventListener('click', () => {
    const loaded = createLoaded(url, image);
    loaded.tabIndex = -1;
    button.replaceWith(loaded);
    loaded.focus();
  });
  return button;
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
