/** A page as far as a test needs it that runs in every engine. Playwright's own `Page` is one. */
export interface EnginePage {
  readonly keyboard: {
    /** A key by its name, with what is held: `Tab`, `Shift+F6`. */
    press(key: string): Promise<unknown>;
    type(text: string): Promise<unknown>;
  };
  goto(url: string): Promise<unknown>;
  /** Runs a function in the page; it sees nothing but its argument. */
  evaluate<Result, Argument>(work: (argument: Argument) => Result, argument: Argument): Promise<Result>;
}

/** A browser with one page. */
export interface Engine {
  readonly page: EnginePage;
  /** As the browser gives it: name and version. */
  readonly version: string;
  close(): Promise<void>;
}

/** A way to start one engine. */
export interface EngineSource {
  readonly name: string;
  /** What has to be installed, where it is not there; `undefined` where it is. */
  missing(): string | undefined;
  start(): Promise<Engine>;
}
