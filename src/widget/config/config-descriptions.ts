import type { ConfigKey } from './config-table.ts';

/**
 * What each setting is for, in a sentence: for documents and editors. A setting without one does not compile; nothing
 * the widget ships imports this file.
 */
export const configDescriptions: Readonly<Record<ConfigKey, string>> = {
  baseUrl:
    'Address of the service. Default: the origin the script came from. Required when the service lies below a path, or when the element comes from npm',
  agentId: 'Agent that answers. Default: the service’s first',
  environmentId: 'Environment of the agent; sent with every run',
  version: 'Version of the agent; sent with every run',
  threadId: 'Thread to show and continue',
  token: 'Token, for development on a loopback address only',
  tokenUrl: 'Endpoint of your site that answers `{"token": "…"}`; asked with the visitor’s cookies',
  visitor:
    'Opaque key for who is signed in; when it changes, what was kept for the former visitor is cleared',
  primaryColor: 'Colour of the header',
  secondColor: 'Colour of the visitor’s messages',
  accentColor: 'Colour of launcher, send button, links, focus and options',
  theme: 'Light or dark; `auto` follows the visitor’s system',
  enableTextStreaming:
    'Whether text shows while it arrives; with `false` a typing mark shows until the message is complete',
  formType:
    '`float`: launcher and panel in the corner; `fullscreen-overlay`: the panel fills the window; `custom`: in the page, where the element stands',
  containerId:
    'With `custom`: id of the element to mount into. If it does not appear within 10 s, the chat floats',
  width: 'Width of the panel (floating: 400px); a plain number is pixels; never wider than the window',
  height:
    'Height of the panel (640px); a plain number is pixels; in place, `100%` fills what it stands in; never higher than the window',
  isLive: 'With `false` nothing is shown and nothing sent, unless `preview` is set',
  heading: 'Name in the header',
  placeholder: 'Text in the empty composer',
  welcome: 'Greeting on the welcome page',
  open: 'Whether the panel is open',
  lang: 'Language of the widget, like `de`. Default: the page’s, then the browser’s',
  dir: 'Writing direction. Default: that of the language',
  storage:
    'What survives a reload: nothing, what this tab had (`session`), or also what other tabs and later visits had (`local`). Nothing is written before the first message',
  productPath: 'Path segment of the deployment',
  identifierPrefix: 'Prefix of the names `svc_message` and `svc_connection_status` on this deployment',
  formSubmit: 'How answers to forms are sent: as a new run, or to the thread’s callback',
  announce: 'What a screen reader is told: the finished answer, each sentence, or only start and end',
  notifications: 'Whether what arrives unseen is posted to the service as a notification',
  sound: 'Whether a sound is played when something arrives unseen',
  liveConfig:
    'Follow the configuration published at the service, where it offers that. Read at the start, when the page is seen or focused again, and every five minutes while it is seen',
  preload:
    'When the panel is fetched: when the visitor shows intent (`none`), when the page is idle, or at once (`eager`)',
  preview: 'Show the chat although `is-live` is false',
  replay: 'Address of a recorded run to play instead of asking the service',
};
