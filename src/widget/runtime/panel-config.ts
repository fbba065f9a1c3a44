import type { ChatHost } from '../chat-host.ts';
import type { PanelConfig } from '../contexts.ts';
import { readOption } from '../config/read-option.ts';
import { diagnoseSetup } from './diagnose-setup.ts';

const none: readonly never[] = [];
const optionNames = [
  'header',
  'starters',
  'mentionables',
  'feedbackReasons',
  'renderers',
  'uploadDocument',
  'allowedOrigins',
] as const;

/** Builds the panel's configuration from the host element, and a key for caching it. Reports `disclosure="off"`. */
export const panelConfigOf = {
  /** Every input of the result; equal keys give equal results. */
  key(host: ChatHost): readonly unknown[] {
    const options = optionNames.map((name) => readOption(host, name));
    return [host.config, host.formKind, host.words, slotsOf(host).join(' '), ...options];
  },

  make(host: ChatHost): PanelConfig {
    if (host.config.disclosure === 'off') diagnoseSetup(host, { code: 'disclosure' });
    const { images = none, media = none, frames = none } = readOption(host, 'allowedOrigins') ?? {};
    return {
      config:
        host.formKind === host.config.formType ? host.config : { ...host.config, formType: host.formKind },
      words: host.words,
      policy: { baseUrl: host.config.baseUrl, images, media, frames },
      header: readOption(host, 'header') ?? {},
      starters: readOption(host, 'starters') ?? none,
      mentionables: readOption(host, 'mentionables') ?? none,
      feedbackReasons: readOption(host, 'feedbackReasons') ?? none,
      hostRenderers: new Map(Object.entries(readOption(host, 'renderers') ?? {})),
      slots: new Set(slotsOf(host)),
      uploadDocument: readOption(host, 'uploadDocument'),
    };
  },
} as const;

function slotsOf(host: ChatHost): readonly string[] {
  const names = new Set([...host.children].map((child) => child.slot).filter(Boolean));
  return [...names].sort();
}
