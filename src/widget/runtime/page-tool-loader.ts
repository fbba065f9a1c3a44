import type { ChatHost } from '../chat-host.ts';
import { loadModule } from '../platform/load-module.ts';
import type { PageTools } from './page-tools/page-tools.ts';
import type { SessionController } from './session-controller.ts';

/**
 * Loads what offers the page's tools to the agent, and the chat to the browser's agent, with the first tool or call, or
 * when a setting asks for it.
 */
export class PageToolLoader {
  readonly #host: ChatHost;
  readonly #controller: () => SessionController;
  #loading: Promise<PageTools | undefined> | undefined;
  /** Undefined until it is loaded. */
  loaded: PageTools | undefined;

  constructor(host: ChatHost, controller: () => SessionController) {
    this.#host = host;
    this.#controller = controller;
  }

  /** Offers the page's tools; undefined while there are none. */
  offer(): Promise<PageTools | undefined> | undefined {
    this.loaded?.changed();
    const { registeredTools, config } = this.#host;
    const isOffered = registeredTools.size || config.pageTools === 'webmcp' || config.askTool === 'on';
    return isOffered ? this.load() : this.#loading;
  }

  /** Loads it once; concurrent calls share the promise. */
  load(): Promise<PageTools | undefined> {
    return (this.#loading ??= this.#load());
  }

  async #load(): Promise<PageTools | undefined> {
    const module = await loadModule(this.#host, 'page tools', () => import('./page-tools/page-tools.ts'));
    if (module) this.loaded = new module.PageTools(this.#host, this.#controller());
    else this.#loading = undefined;
    return this.loaded;
  }
}
