import { HttpError } from '../../client/response-errors.ts';
import type { AgentClient } from '../../client/agent-client.ts';
import type { ChatSession } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import type { ThreadsEvent, ThreadSource } from '../events/threads-event.ts';
import type { SessionController } from './session-controller.ts';

const pageSize = 30;

/** Unsent texts of each element, by visitor and thread. They last as long as the page. */
const drafts = new WeakMap<ChatHost, Map<string, string>>();

/** What the source needs. */
export interface ThreadSourceParts {
  readonly host: ChatHost;
  readonly runtime: {
    readonly client: AgentClient;
    readonly session: ChatSession;
    setThread(threadId: string | undefined): Promise<void>;
    setDraft(text: string): void;
    enterPanel(): Promise<void>;
  };
  readonly controller: Pick<SessionController, 'draft' | 'keepsThreads'>;
}

/** Responds to a component that asks for the source of the list of conversations. */
export function provideThreads(respondWith: ThreadsEvent['respondWith'], parts: ThreadSourceParts): void {
  respondWith(createThreadSource(parts));
}

function createThreadSource({ host, runtime, controller }: ThreadSourceParts): ThreadSource {
  const currentId = (): string | undefined => runtime.session.conversation.threadId;
  return {
    get currentId() {
      return currentId();
    },
    async list({ query, before, limit = pageSize, signal }) {
      const { agentId } = host.config;
      const options = { query, before, limit, signal, ...(agentId ? { agentId } : {}) };
      try {
        const list = await runtime.client.extensions.listThreads(options);
        controller.keepsThreads = true;
        return list;
      } catch (error) {
        if (!(error instanceof HttpError) || (error.status !== 404 && error.status !== 405)) throw error;
        controller.keepsThreads = false;
        return undefined;
      }
    },
    async rename(threadId, title) {
      await runtime.client.extensions.changeThread(threadId, { title });
    },
    async remove(threadId) {
      await runtime.client.extensions.deleteThread(threadId).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 404) throw error; // deleted elsewhere
      });
      draftsOf(host).delete(nameOf(host, threadId));
      if (currentId() === threadId) await runtime.setThread(undefined);
    },
    open(threadId, unread) {
      const before = currentId();
      if (unread > 0) void runtime.client.deleteNotifications(threadId).catch(() => undefined); // unread until next time
      if (before !== threadId) {
        void runtime.setThread(threadId); // first puts messages that were not sent back into the composer
        const kept = draftsOf(host);
        const name = nameOf(host, threadId);
        const own = kept.get(name) ?? '';
        kept.delete(name);
        const { draft } = controller;
        if (before !== undefined) kept.set(nameOf(host, before), draft);
        // text from the home page moves along: no entry of the list leads back to it
        runtime.setDraft(before === undefined ? [own, draft].filter(Boolean).join('\n\n') : own);
      }
      void runtime.enterPanel();
    },
  };
}

function draftsOf(host: ChatHost): Map<string, string> {
  const kept = drafts.get(host) ?? new Map<string, string>();
  drafts.set(host, kept);
  return kept;
}

function nameOf({ config }: ChatHost, threadId: string): string {
  return `${config.visitor}\n${threadId}`;
}
