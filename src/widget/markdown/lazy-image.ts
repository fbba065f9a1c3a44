import type { InlineImage } from '../../markdown/nodes.ts';
import { loadModule } from '../platform/load-module.ts';
import { retryDelayMs } from '../platform/lazy-element.ts';
import type { showImage } from './image-view.ts';
import type { ViewContext } from './view-context.ts';

let draw: typeof showImage | undefined;
let loading: Promise<void> | undefined;

/** Whether a text may contain images, and what shows them is not loaded. */
export function needsImages(text: string): boolean {
  return !draw && text.includes('![');
}

/** An image. Without the code for it, it is its description. */
export function imageContent(image: InlineImage, context: ViewContext): HTMLElement {
  const place = document.createElement('span');
  const show = (): void => {
    if (draw) draw(place, image, context);
    else void loadImageView(place).then(() => (draw ? show() : setTimeout(again, retryDelayMs)));
  };
  const again = (): void => void (place.isConnected && show());
  place.textContent = image.alternative;
  context.labels.add(place, show);
  return place;
}

/** Loads the code that shows images; `asker` dispatches a diagnostic when that fails. Call again to retry. */
export function loadImageView(asker: EventTarget): Promise<void> {
  loading ??= loadModule(asker, 'images', () => import('./image-view.ts')).then((module) => {
    draw = module?.showImage;
    if (!module) loading = undefined;
  });
  return loading;
}
