import { expect, fixture, html } from '@open-wc/testing';
import { copyFormats } from '../../../src/widget/platform/copy-formats.ts';

describe('copyFormats', () => {
  const rejections: unknown[] = [];
  const onRejection = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    rejections.push(event.reason);
  };
  beforeEach(() => {
    rejections.length = 0;
    window.addEventListener('unhandledrejection', onRejection);
  });
  afterEach(() => {
    window.removeEventListener('unhandledrejection', onRejection);
    Reflect.deleteProperty(navigator, 'clipboard'); // the prototype has the real one
  });

  for (const [where, clipboard] of [
    ['without a clipboard API', undefined],
    ['with a clipboard that is blocked', { write: () => Promise.reject(new Error('blocked')) }],
  ] as const)
    it(`copies the text ${where} while what formats it cannot be loaded`, async () => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
      const anchor = await fixture(html`<button>Copy</button>`);
      await copyFormats(Promise.reject(new Error('offline')), 'A text', anchor);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(rejections).to.deep.equal([]);
    });
});
