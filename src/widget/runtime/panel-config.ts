import type { ChatHost } from '../chat-host.ts';
import type { PanelConfig } from '../contexts.ts';
import { readOption } from '../config/read-option.ts';

const none: readonly never[] = [];

/** Turns what a host set into what the panel reads, and says what it depends on. */
export const panelConfigOf = {
  /** Everything the result is made of; the same parts give the same result. */
  key(host: ChatHost): readonly unknown[] {
    return [
      host.config,
      host.formKind,
      host.words,
      slotsOf(host).join(' '),
      readOption(host, 'header'),
      readOption(host, 'starters'),
      readOption(host, 'mentionables'),
      readOption(host, 'feedbackReasons'),
      readOption(host, 'renderers'),
      readOption(host, 'uploadDocument'),
      readOption(host, 'allowedOrigins'),
    ];
  },

  make(host: ChatHost): PanelConfig {
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
