import type { Config, ConfigKey } from './config-table.ts';

/** Settings whose property every HTML element already has. */
export type NativeKey = 'lang' | 'dir';

/**
 * Every setting as a property. Reading returns the value in force; writing acts like the element's own attribute;
 * `undefined` removes it. Written out because a mapped type cannot give getter and setter different types.
 */
export interface ConfigProperties {
  /**
   * Address of the service. Default: the origin of the script. Required when the service has a path prefix, or when
   * the element comes from npm.
   */
  get baseUrl(): Config['baseUrl'];
  set baseUrl(value: Config['baseUrl'] | undefined);
  /** Agent that answers. Default: the service’s first agent. */
  get agentId(): Config['agentId'];
  set agentId(value: Config['agentId'] | undefined);
  /** Environment of the agent; sent with every run. */
  get environmentId(): Config['environmentId'];
  set environmentId(value: Config['environmentId'] | undefined);
  /** Version of the agent; sent with every run. */
  get version(): Config['version'];
  set version(value: Config['version'] | undefined);
  /** Id of the thread to show and continue. Default: a new thread with the first message. */
  get threadId(): Config['threadId'];
  set threadId(value: Config['threadId'] | undefined);
  /** Token, for development on a loopback address only. */
  get token(): Config['token'];
  set token(value: Config['token'] | undefined);
  /**
   * Endpoint of your site that answers `GET` with `{"token": "…"}`; requested with the visitor’s cookies. 401 and
   * 403 mean that nobody is signed in; it has 30 s to answer.
   */
  get tokenUrl(): Config['tokenUrl'];
  set tokenUrl(value: Config['tokenUrl'] | undefined);
  /** Opaque user id; changing it deletes the previous user’s stored chat. */
  get visitor(): Config['visitor'];
  set visitor(value: Config['visitor'] | undefined);
  /** Colour of the header. */
  get primaryColor(): Config['primaryColor'];
  set primaryColor(value: Config['primaryColor'] | undefined);
  /** Colour of the visitor’s messages. */
  get secondColor(): Config['secondColor'];
  set secondColor(value: Config['secondColor'] | undefined);
  /** Colour of launcher, send button, links, focus and options. */
  get accentColor(): Config['accentColor'];
  set accentColor(value: Config['accentColor'] | undefined);
  /** Light or dark; `auto` follows the system setting. */
  get theme(): Config['theme'];
  set theme(value: Config['theme'] | undefined);
  /** Show text while it arrives; with `false`, a typing indicator is shown until the message is complete. */
  get enableTextStreaming(): Config['enableTextStreaming'];
  set enableTextStreaming(value: Config['enableTextStreaming'] | undefined);
  /**
   * `float`: launcher and panel in the corner; `fullscreen-overlay`: the panel fills the window; `custom`: in the
   * page, where the element is. A chat that a script tag creates is at the end of the body; `container-id` moves it.
   */
  get formType(): Config['formType'];
  set formType(value: Config['formType'] | undefined);
  /** With `custom`: id of the element to move into. If it does not appear within 10 s, the chat floats. */
  get containerId(): Config['containerId'];
  set containerId(value: Config['containerId'] | undefined);
  /** Width of the panel (floating: 400px); a plain number means pixels; never wider than the window. */
  get width(): Config['width'];
  set width(value: Config['width'] | undefined);
  /**
   * Height of the panel (640px); a plain number means pixels; in place, `100%` fills the container; never higher
   * than the window.
   */
  get height(): Config['height'];
  set height(value: Config['height'] | undefined);
  /** `false` hides the chat and sends nothing, unless `preview` is set. */
  get isLive(): Config['isLive'];
  set isLive(value: Config['isLive'] | undefined);
  /** Name in the header. */
  get heading(): Config['heading'];
  set heading(value: Config['heading'] | undefined);
  /** Text in the empty composer. */
  get placeholder(): Config['placeholder'];
  set placeholder(value: Config['placeholder'] | undefined);
  /**
   * Greeting on the welcome page; text after a blank line is quieter, `{greeting}` stands for a greeting by the time
   * of day.
   */
  get welcome(): Config['welcome'];
  set welcome(value: Config['welcome'] | undefined);
  /** Open the panel. */
  get open(): Config['open'];
  set open(value: Config['open'] | undefined);
  /**
   * What survives a reload: nothing (`none`), the chat of this tab (`session`), or one chat for all tabs and later
   * visits (`local`). Nothing is stored before the first message.
   */
  get storage(): Config['storage'];
  set storage(value: Config['storage'] | undefined);
  /** Path segment of the deployment. */
  get productPath(): Config['productPath'];
  set productPath(value: Config['productPath'] | undefined);
  /** Prefix of the names `svc_message` and `svc_connection_status` on this deployment. */
  get identifierPrefix(): Config['identifierPrefix'];
  set identifierPrefix(value: Config['identifierPrefix'] | undefined);
  /** How answers to forms are sent: as a new run (`run`), or to the thread’s callback (`callback`). */
  get formSubmit(): Config['formSubmit'];
  set formSubmit(value: Config['formSubmit'] | undefined);
  /**
   * What screen readers announce: the complete answer (`answer`), each sentence as it arrives (`sentence`), or only
   * start and end (`quiet`).
   */
  get announce(): Config['announce'];
  set announce(value: Config['announce'] | undefined);
  /** Post answers that arrive unseen to the service as notifications. */
  get notifications(): Config['notifications'];
  set notifications(value: Config['notifications'] | undefined);
  /**
   * Offer the list of the visitor’s conversations: when the service is known to keep one (`auto`), always (`on`), or
   * never (`off`).
   */
  get conversations(): Config['conversations'];
  set conversations(value: Config['conversations'] | undefined);
  /** Play a sound when an answer arrives unseen. */
  get sound(): Config['sound'];
  set sound(value: Config['sound'] | undefined);
  /**
   * Offer dictation in the composer and reading aloud of answers, where the browser can; it says whether the voice
   * leaves the device.
   */
  get speech(): Config['speech'];
  set speech(value: Config['speech'] | undefined);
  /**
   * Who answers: an AI (`ai`), people (`human`), or both (`mixed`). Header and welcome page tell visitors so, except
   * with `off`.
   */
  get disclosure(): Config['disclosure'];
  set disclosure(value: Config['disclosure'] | undefined);
  /**
   * Follow the configuration published at the service, if it has one. Read at the start, when the page becomes
   * visible or focused, and every five minutes while it is visible.
   */
  get liveConfig(): Config['liveConfig'];
  set liveConfig(value: Config['liveConfig'] | undefined);
  /** When to load the panel: on the visitor’s intent (`none`), when the page is idle, or at once (`eager`). */
  get preload(): Config['preload'];
  set preload(value: Config['preload'] | undefined);
  /**
   * Which functions of the page the agent may call, with consent: none (`off`), those of `registerTool`
   * (`registered`), or also those that the page offers to browsers by WebMCP (`webmcp`).
   */
  get pageTools(): Config['pageTools'];
  set pageTools(value: Config['pageTools'] | undefined);
  /**
   * Whether the chat offers itself to the browser’s own agent, by WebMCP, as a tool that asks a question. The
   * visitor’s consent is needed in each conversation. The tool is there once the panel has loaded: see `preload`.
   */
  get askTool(): Config['askTool'];
  set askTool(value: Config['askTool'] | undefined);
  /** Show the chat even if `is-live` is false. */
  get preview(): Config['preview'];
  set preview(value: Config['preview'] | undefined);
  /**
   * URL of a recorded run to play instead of calling the service: a line of JSON for each event, `{ at, id, event,
   * data }`, with `at` in ms from the start.
   */
  get replay(): Config['replay'];
  set replay(value: Config['replay'] | undefined);
}

/** Fails to compile when a setting is missing. */
export type AllConfigProperties = Complete<ConfigProperties>;
type Complete<Properties extends Record<Exclude<ConfigKey, NativeKey>, unknown>> = Properties;
