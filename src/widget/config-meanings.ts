import type { ConfigKey } from './config-table.ts';

/**
 * What each setting is for, in a sentence: for documents and editors. A setting without one does not compile; nothing
 * the widget ships imports this file.
 */
export const configMeanings: Readonly<Record<ConfigKey, string>> = {
  baseUrl:
    'Address of the service. Default: the origin of the script; required when the service lies below a path, or when imported from npm',
  agentId: 'Which agent answers. Default: the first of the service',
  environmentId: 'Environment of the agent; goes out with every run',
  version: 'Version of the agent; goes out with every run',
  threadId: 'Thread to show and go on with',
  token: 'Token for development on a loopback address',
  tokenUrl: 'Endpoint of the host that answers `{"token": "…"}`; asked with credentials',
  visitor: 'Opaque key of who is signed in; a change clears what was kept for another',
  primaryColor: 'Header',
  secondColor: 'The visitor’s messages',
  accentColor: 'Launcher, send button, links, focus, options',
  theme: 'Light or dark; `auto` follows the visitor’s system',
  enableTextStreaming:
    'Whether text shows while it arrives; `false`: a typing mark until the message is complete',
  formType:
    '`float`: launcher and panel in the corner; `fullscreen-overlay`: the panel fills the window; `custom`: in place',
  containerId: 'With `custom`: id of the element to mount into; waited for 10 s, then it floats',
  width: 'Width of the panel; a number alone is pixels; never wider than the window',
  height: 'Height of the panel; a number alone is pixels; never higher than the window',
  isLive: '`false`: nothing is shown and nothing sent, unless `preview` is set',
  heading: 'Name in the header',
  placeholder: 'Text in the empty composer',
  welcome: 'Greeting on the welcome page',
  open: 'Whether the panel is open',
  lang: 'Language. Default: the page’s, then the browser’s',
  dir: 'Direction. Default: as the language is written',
  storage: 'What survives a reload; nothing is written before the first message',
  productPath: 'Path segment of the deployment',
  identifierPrefix: 'Prefix of `svc_message` and `svc_connection_status` on this deployment',
  formSubmit: 'How answers to forms go out: as a new run, or to the thread’s callback',
  announce: 'What a screen reader hears: the finished answer, each sentence, or only start and end',
  notifications: 'Whether what arrives unseen is posted as a notification',
  sound: 'Whether what arrives unseen is heard',
  liveConfig: 'Take over the configuration published at the service, where it offers that',
  preload: 'When the rest is fetched: on intent (`none`), when the page is idle, or at once',
  preview: 'Show the chat although it is not live',
  replay: 'Address of a recorded run that is played instead of asking the service',
};
