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

/** An image. Without the code for it, it is its description, with room for the button that loads it. */
export function imageContent(image: InlineImage, context: ViewContext): HTMLElement {
  const placeholder = document.createElement('span');
  const show = (): void => {
    if (draw) {
      placeholder.className = '';
      draw(placeholder, image, context);
    } else void loadImageView(placeholder).then(() => (draw ? show() : setTimeout(again, retryDelayMs)));
  };
  const again = (): void => void (placeholder.isConnected && show());
  placeholder.className = 'image';
  placeholder.textContent = image.alternative;
  context.labels.add(placeholder, show);
  return placeholder;
}

/** Loads the code that shows images; `reporter` dispatches a diagnostic when that fails. Call again to retry. */
export function loadImageView(reporter: EventTarget): Promise<void> {
  loading ??= loadModule(reporter, 'images', () => import('./image-view.ts')).then((module) => {
    draw = module?.showImage;
    if (!module) loading = undefined;
  });
  return loading;
}
