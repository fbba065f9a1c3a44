import { html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { onOtherHost } from './foreign-page.ts';
import { PlaygroundElement } from './playground-element.ts';
import { readAddress } from './read-address.ts';
import { say } from './say.ts';

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
    const kept = sessionStorage.getItem(key);
    if (kept) this.#show(kept);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('paste', this.#pasted);
  }

  /** The sample page wears the colours that the chat has. */
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
    this.#show(this.address);
  };

  #show(text: string): void {
    if (text.trim() === '') return this.#reset();
    const read = readAddress(text, location.protocol);
    if (typeof read === 'string') return this.#tell(read);
    this.shown = { frame: read };
    this.address = read.href;
    sessionStorage.setItem(key, read.href);
    this.#tell(
      `Empty, or an error? Then ${read.host} cannot be reached, or does not let other pages show it. A screenshot always works: paste one.`,
    );
  }

  #reset(): void {
    sessionStorage.removeItem(key);
    this.shown = 'sample';
    this.address = '';
    this.message = '';
  }

  #tell(words: string): void {
    this.message = words;
    say(words);
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
    else this.#tell('That is no picture. Drop a PNG, JPEG or WebP file.');
  };

  readonly #chosen = (event: Event & { readonly currentTarget: HTMLInputElement }): void => {
    const input = event.currentTarget;
    const image = imageIn(input.files);
    input.value = '';
    if (image) void this.#draw(image);
  };

  /** Draws a picture; a canvas needs no address, so that the page's policy can stay as strict as it is. */
  async #draw(image: File): Promise<void> {
    let bitmap: ImageBitmap;
    try {
      bitmap = await createImageBitmap(image);
    } catch {
      this.#tell('The browser cannot read this picture. Try a PNG, JPEG or WebP file.');
      return;
    }
    this.#reset();
    this.shown = 'screenshot';
    await this.updateComplete;
    this.canvas.width = bitmap.width;
    this.canvas.height = bitmap.height;
    this.canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.#tell('Your screenshot stays in this browser; a reload removes it.');
  }
}

function imageIn(files: FileList | null | undefined): File | undefined {
  return [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
}

/** Somebody's site, in the colours of the look. */
const sample = html`<div class="site" aria-hidden="true">
  <div class="site-head"><b></b><i></i><i></i><i></i></div>
  <div class="site-hero"><b></b><b></b><i></i><em></em></div>
  <div class="site-cards"><i></i><i></i><i></i></div>
  <div class="site-lines"><i></i><i></i><i></i></div>
</div>`;

Backdrop.register('playground-backdrop');
