import { html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { onOtherHost } from './foreign-page.ts';
import { PlaygroundElement } from './playground-element.ts';
import { readAddress } from './read-address.ts';
import { announce } from './announce.ts';

/** What the backdrop shows; a frame by its URL. */
type Shown = 'sample' | 'screenshot' | { readonly frame: URL };

const key = 'playground-backdrop';

/**
 * The page behind the preview, with a browser's address field: a sample, the visitor's own page in a frame, or a
 * screenshot of it. A screenshot is drawn here and goes nowhere else.
 */
export class Backdrop extends PlaygroundElement {
  @state() private shown: Shown = 'sample';
  @state() private message = '';
  @state() private address = '';
  @query('canvas') private readonly canvas!: HTMLCanvasElement;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('paste', this.#pasted);
    const stored = sessionStorage.getItem(key);
    if (stored) this.#showPage(stored);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('paste', this.#pasted);
  }

  /** The sample page has the colours of the chat. */
  protected override updated(): void {
    for (const name of ['primary', 'second', 'accent'])
      this.style.setProperty(`--site-${name}`, this.settings?.accepted(`${name}-color`) ?? '');
  }

  override render(): unknown {
    return html`
      <form class="site-bar" @submit=${this.#submit}>
        <span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>
        <input
          class="address"
          type="text"
          inputmode="url"
          autocapitalize="off"
          spellcheck="false"
          aria-label="Address of your page"
          aria-describedby="backdrop-message"
          placeholder="Your page’s address, or paste a screenshot"
          .value=${live(this.address)}
          @input=${(event: InputEvent & { target: HTMLInputElement }) => (this.address = event.target.value)}
        />
        <label class="button small">
          Screenshot
          <input class="visually-hidden" type="file" accept="image/*" @change=${this.#chosen} />
        </label>
        ${
          this.shown === 'sample'
            ? nothing
            : html`<button class="button small" type="button" @click=${() => this.#reset()}>Sample</button>`
        }
      </form>
      <p class="site-message" id="backdrop-message" ?hidden=${!this.message}>${this.message}</p>
      <div class="site-view" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.#dropped}>
        ${this.renderShown()}
      </div>
    `;
  }

  private renderShown(): TemplateResult {
    if (this.shown === 'sample') return sample;
    if (this.shown === 'screenshot') return html`<canvas role="img" aria-label="Your screenshot"></canvas>`;
    const { frame } = this.shown;
    // a frame of this origin could leave its sandbox
    const page = frame.origin === location.origin ? onOtherHost(frame) : frame;
    const sandbox = page.origin === location.origin ? 'allow-scripts' : 'allow-scripts allow-same-origin';
    return html`<iframe
      title="Your page"
      sandbox=${sandbox}
      referrerpolicy="no-referrer"
      src=${page.href}
    ></iframe>`;
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    this.#showPage(this.address);
  };

  #showPage(address: string): void {
    if (address.trim() === '') return this.#reset();
    const url = readAddress(address, location.protocol);
    if (typeof url === 'string') return this.#showMessage(url); // why it cannot be shown
    this.shown = { frame: url };
    this.address = url.href;
    sessionStorage.setItem(key, url.href);
    this.#showMessage(
      `Empty, or an error? Then ${url.host} cannot be reached, or does not let other pages show it. A screenshot always works: paste one.`,
    );
  }

  #reset(): void {
    sessionStorage.removeItem(key);
    this.shown = 'sample';
    this.address = '';
    this.message = '';
  }

  #showMessage(text: string): void {
    this.message = text;
    announce(text);
  }

  readonly #pasted = (event: ClipboardEvent): void => {
    // the chat attaches what is pasted into it
    const isChat = event
      .composedPath()
      .some((target) => target instanceof Element && target.localName === 'agent-chat');
    const image = imageIn(event.clipboardData?.files);
    if (isChat || !image) return;
    event.preventDefault();
    void this.#draw(image);
  };

  readonly #dropped = (event: DragEvent): void => {
    event.preventDefault();
    const image = imageIn(event.dataTransfer?.files);
    if (image) void this.#draw(image);
    else this.#showMessage('That is no picture. Drop a PNG, JPEG or WebP file.');
  };

  readonly #chosen = (event: Event & { readonly currentTarget: HTMLInputElement }): void => {
    const input = event.currentTarget;
    const image = imageIn(input.files);
    input.value = '';
    if (image) void this.#draw(image);
  };

  /** Draws a picture on a canvas: an `<img>` would need a URL that the page's content security policy blocks. */
  async #draw(image: File): Promise<void> {
    let bitmap: ImageBitmap;
    try {
      bitmap = await createImageBitmap(image);
    } catch {
      this.#showMessage('The browser cannot read this picture. Try a PNG, JPEG or WebP file.');
      return;
    }
    this.#reset();
    this.shown = 'screenshot';
    await this.updateComplete;
    this.canvas.width = bitmap.width;
    this.canvas.height = bitmap.height;
    this.canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.#showMessage('Your screenshot stays in this browser; a reload removes it.');
  }
}

function imageIn(files: FileList | null | undefined): File | undefined {
  return [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
}

/** A sample site, in the colours of the chat. */
const sample = html`<div class="site" aria-hidden="true">
  <div class="site-head"><b></b><i></i><i></i><i></i></div>
  <div class="site-hero"><b></b><b></b><i></i><em></em></div>
  <div class="site-cards"><i></i><i></i><i></i></div>
  <div class="site-lines"><i></i><i></i><i></i></div>
</div>`;

Backdrop.register('playground-backdrop');
