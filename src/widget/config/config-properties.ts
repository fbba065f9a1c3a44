import type { Config, ConfigKey } from './config-table.ts';

/** Settings whose property every HTML element already has. */
export type NativeKey = 'lang' | 'dir';

/**
 * Every setting as a property. Reading returns the value in force; writing acts like the element's own attribute;
 * `undefined` removes it. Written out because a mapped type cannot give getter and setter different types.
 */
export interface ConfigProperties {
  get baseUrl(): Config['baseUrl'];
  set baseUrl(value: Config['baseUrl'] | undefined);
  get agentId(): Config['agentId'];
  set agentId(value: Config['agentId'] | undefined);
  get environmentId(): Config['environmentId'];
  set environmentId(value: Config['environmentId'] | undefined);
  get version(): Config['version'];
  set version(value: Config['version'] | undefined);
  get threadId(): Config['threadId'];
  set threadId(value: Config['threadId'] | undefined);
  get token(): Config['token'];
  set token(value: Config['token'] | undefined);
  get tokenUrl(): Config['tokenUrl'];
  set tokenUrl(value: Config['tokenUrl'] | undefined);
  get visitor(): Config['visitor'];
  set visitor(value: Config['visitor'] | undefined);
  get primaryColor(): Config['primaryColor'];
  set primaryColor(value: Config['primaryColor'] | undefined);
  get secondColor(): Config['secondColor'];
  set secondColor(value: Config['secondColor'] | undefined);
  get accentColor(): Config['accentColor'];
  set accentColor(value: Config['accentColor'] | undefined);
  get theme(): Config['theme'];
  set theme(value: Config['theme'] | undefined);
  get enableTextStreaming(): Config['enableTextStreaming'];
  set enableTextStreaming(value: Config['enableTextStreaming'] | undefined);
  get formType(): Config['formType'];
  set formType(value: Config['formType'] | undefined);
  get containerId(): Config['containerId'];
  set containerId(value: Config['containerId'] | undefined);
  get width(): Config['width'];
  set width(value: Config['width'] | undefined);
  get height(): Config['height'];
  set height(value: Config['height'] | undefined);
  get isLive(): Config['isLive'];
  set isLive(value: Config['isLive'] | undefined);
  get heading(): Config['heading'];
  set heading(value: Config['heading'] | undefined);
  get placeholder(): Config['placeholder'];
  set placeholder(value: Config['placeholder'] | undefined);
  get welcome(): Config['welcome'];
  set welcome(value: Config['welcome'] | undefined);
  get open(): Config['open'];
  set open(value: Config['open'] | undefined);
  get storage(): Config['storage'];
  set storage(value: Config['storage'] | undefined);
  get productPath(): Config['productPath'];
  set productPath(value: Config['productPath'] | undefined);
  get identifierPrefix(): Config['identifierPrefix'];
  set identifierPrefix(value: Config['identifierPrefix'] | undefined);
  get formSubmit(): Config['formSubmit'];
  set formSubmit(value: Config['formSubmit'] | undefined);
  get announce(): Config['announce'];
  set announce(value: Config['announce'] | undefined);
  get notifications(): Config['notifications'];
  set notifications(value: Config['notifications'] | undefined);
  get sound(): Config['sound'];
  set sound(value: Config['sound'] | undefined);
  get liveConfig(): Config['liveConfig'];
  set liveConfig(value: Config['liveConfig'] | undefined);
  get preload(): Config['preload'];
  set preload(value: Config['preload'] | undefined);
  get preview(): Config['preview'];
  set preview(value: Config['preview'] | undefined);
  get replay(): Config['replay'];
  set replay(value: Config['replay'] | undefined);
}

/** Fails to compile when a setting is missing. */
export type AllConfigProperties = Complete<ConfigProperties>;
type Complete<Properties extends Record<Exclude<ConfigKey, NativeKey>, unknown>> = Properties;
