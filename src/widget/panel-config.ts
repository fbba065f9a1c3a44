import type { AgentChat } from './agent-chat.ts';
import type { PanelConfig } from './contexts.ts';

const noOrigins: readonly string[] = [];

/** Turns what a host set into what the panel reads, and says what it depends on. */
export const panelConfigOf = {
  /** Everything the result is made of; the same parts give the same result. */
  key(host: AgentChat): readonly unknown[] {
    return [
      host.config,
      host.formKind,
      host.words,
      slotsOf(host).join(' '),
      host.option('header'),
      host.option('starters'),
      host.option('mentionables'),
      host.option('feedbackReasons'),
      host.option('renderers'),
      host.option('uploadDocument'),
      host.option('allowedOrigins'),
    ];
  },

  make(host: AgentChat): PanelConfig {
    const origins = host.option('allowedOrigins');
    return {
      config:
        host.formKind === host.config.formType ? host.config : { ...host.config, formType: host.formKind },
      words: host.words,
      policy: {
        baseUrl: host.config.baseUrl,
        images: list(origins?.images),
        media: list(origins?.media),
        frames: list(origins?.frames),
      },
      header: { ...host.option('header') },
      starters: list(host.option('starters')).filter((starter) => typeof starter.title === 'string'),
      mentionables: list(host.option('mentionables')),
      feedbackReasons: list(host.option('feedbackReasons')),
      hostRenderers: new Map(Object.entries(host.option('renderers') ?? {})),
      slots: new Set(slotsOf(host)),
      uploadDocument: host.option('uploadDocument'),
    };
  },
} as const;

function slotsOf(host: AgentChat): readonly string[] {
  const names = new Set([...host.children].map((child) => child.slot).filter(Boolean));
  return [...names].sort();
}

/** JSON is written by hand: what should be a list may be anything. */
function list<Item>(value: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(value) ? value : (noOrigins as readonly never[]);
}
