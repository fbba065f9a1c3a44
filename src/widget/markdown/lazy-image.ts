import type { InlineImage } from '../../markdown/nodes.ts';
import { fetchPart } from '../platform/load-module.ts';
import { retryAfter } from '../platform/lazy-element.ts';
import type { createImage } from './image-view.ts';
import type { ViewContext } from './view-context.ts';

let create: typeof createImage | undefined;
let coming: Promise<void> | undefined;

/** An image of a text. The first on a page is its description until what shows images is there. */
export function imageContent(image: InlineImage, context: ViewContext): HTMLElement {
  const place = document.createElement('span');
  const show = (): void => {
    if (create) place.replaceChildren(create(image, context));
    else void loadImageView(place).then(() => (create ? show() : setTimeout(again, retryAfter)));
  };
  const again = (): void => void (place.isConnected && show());
  place.textContent = image.alternative;
  show();
  return place;
}

/** Fetches what shows images; `asker` is told when that fails. May be called again then. */
function loadImageView(asker: EventTarget): Promise<void> {
  coming ??= fetchPart(asker, 'What shows images', () => import('./image-view.ts')).then((part) => {
    create = part?.createImage;
    if (!part) coming = undefined;
  });
  return coming;
}
