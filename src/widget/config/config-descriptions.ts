import type { ConfigKey } from './config-table.ts';

/**
 * One sentence about each setting, for documents and editors. A missing one does not compile. Not part of any
 * bundle.
 */
export const configDescriptions: Readonly<Record<ConfigKey, string>> = {
  baseUrl:
    'Address of the service. Default: the origin of the script. Required when the service has a path prefix, or when the element comes from npm',
  agentId: 'Agent that answers. Default: the service’s first agent',
  environmentId: 'Environment of the agent; sent with every run',
  version: 'Version of the agent; sent with every run',
  threadId: 'Id of the thread to show and continue. Default: a new thread with the first message',
  token: 'Token, for development on a loopback address only',
  tokenUrl:
    'Endpoint of your site that answers `GET` with `{"token": "…"}`; requested with the visitor’s cookies. 401 and 403 mean that nobody is signed in; it has 30 s to answer',
  visitor: 'Opaque user id; changing it deletes the previous user’s stored chat',
  primaryColor: 'Colour of the header',
  secondColor: 'Colour of the visitor’s messages',
  accentColor: 'Colour of launcher, send button, links, focus and options',
  theme: 'Light or dark; `auto` follows the system setting',
  enableTextStreaming:
    'Show text while it arrives; with `false`, a typing indicator is shown until the message is complete',
  formType:
    '`float`: launcher and panel in the corner; `fullscreen-overlay`: the panel fills the window; `custom`: in the page, where the element is. A chat that a script tag creates is at the end of the body; `container-id` moves it',
  containerId:
    'With `custom`: id of the element to move into. If it does not appear within 10 s, the chat floats',
  width: 'Width of the panel (floating: 400px); a plain number means pixels; never wider than the window',
  height:
    'Height of the panel (640px); a plain number means pixels; in place, `100%` fills the container; never higher than the window',
  isLive: '`false` hides the chat and sends nothing, unless `preview` is set',
  heading: 'Name in the header',
  placeholder: 'Text in the empty composer',
  welcome:
    'Greeting on the welcome page; text after a blank line is quieter, `{greeting}` stands for a greeting by the time of day',
  open: 'Open the panel',
  lang: 'Language of the widget, such as `de`. Default: the page’s, then the browser’s',
  dir: 'Writing direction. Default: that of the language',
  storage:
    'What survives a reload: nothing (`none`), the chat of this tab (`session`), or one chat for all tabs and later visits (`local`). Nothing is stored before the first message',
  productPath: 'Path segment of the deployment',
  identifierPrefix: 'Prefix of the names `svc_message` and `svc_connection_status` on this deployment',
  formSubmit: 'How answers to forms are sent: as a new run (`run`), or to the thread’s callback (`callback`)',
  announce:
    'What screen readers announce: the complete answer (`answer`), each sentence as it arrives (`sentence`), or only start and end (`quiet`)',
  notifications: 'Post answers that arrive unseen to the service as notifications',
  conversations:
    'Offer the list of the visitor’s conversations: when the service is known to keep one (`auto`), always (`on`), or never (`off`)',
  sound: 'Play a sound when an answer arrives unseen',
  speech:
    'Offer dictation in the composer and reading aloud of answers, where the browser can; it says whether the voice leaves the device',
  disclosure:
    'Who answers: an AI (`ai`), people (`human`), or both (`mixed`). The welcome page tells visitors so, and the header marks an AI, except with `off`',
  liveConfig:
    'Follow the configuration published at the service, if it has one. Read at the start, when the page becomes visible or focused, and every five minutes while it is visible',
  preload:
    'When to load the panel: on the visitor’s intent (`none`), when the page is idle, or at once (`eager`)',
  pageTools:
    'Which functions of the page the agent may call, with consent: none (`off`), those of `registerTool` (`registered`), or also those that the page offers to browsers by WebMCP (`webmcp`)',
  askTool:
    'Whether the chat offers itself to the browser’s own agent, by WebMCP, as a tool that asks a question. The visitor’s consent is needed in each conversation. The tool is there once the panel has loaded: see `preload`',
  preview: 'Show the chat even if `is-live` is false',
  replay:
    'URL of a recorded run to play instead of calling the service: a line of JSON for each event, `{ at, id, event, data }`, with `at` in ms from the start',
};
