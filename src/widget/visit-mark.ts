import type { Config } from './config-table.ts';

type Place = Pick<Config, 'baseUrl' | 'agentId' | 'storage'>;

/** What a page keeps of a visit beside the conversation: small enough to be read before anything else is loaded. */
export interface VisitMark {
  readonly open: boolean;
  /** Answers that came unseen. */
  readonly unread: number;
  /** Whose visit it was. */
  readonly visitor: string;
}

/** Under which name a visit is kept: one for each agent of a service. */
export function visitKey({ baseUrl, agentId }: Omit<Place, 'storage'>): string {
  return `agent-chat ${baseUrl} ${agentId}`;
}

/** @throws what the browser throws where storage is forbidden. */
export function visitArea(storage: Config['storage']): Storage | undefined {
  return storage === 'none' ? undefined : storage === 'local' ? localStorage : sessionStorage;
}

/** The mark of an earlier visit; undefined when there was none, or none is kept. */
export function readVisitMark(place: Place): VisitMark | undefined {
  try {
    const [, open, unread, visitor = ''] =
      /^([01]) (\d{1,6}) ([^]*)$/.exec(visitArea(place.storage)?.getItem(visitKey(place)) ?? '') ?? [];
    return open ? { open: open > '0', unread: Number(unread), visitor } : undefined;
  } catch {
    return undefined; // forbidden: as if nothing were there
  }
}
