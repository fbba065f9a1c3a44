import { HttpError } from '../../client/response-errors.ts';
import type { AgentClient } from '../../client/agent-client.ts';
import type { ChatSession } from '../../session/index.ts';
import type { ChatHost } from '../chat-host.ts';
import type { AttachmentsController } from '../panel/composer/attachments-controller.ts';
import type { PanelElement } from '../panel/panel.ts';
import type { ThreadsEvent, ThreadSource } from '../events/threads-event.ts';
import type { SessionController } from './session-controller.ts';

const pageSize = 30;

/** One source for each element, so that what one component changes reaches the others. */
const sources = new WeakMap<ChatHost, ThreadSource>();

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
  const source = sources.get(parts.host) ?? createThreadSource(parts);
  sources.set(parts.host, source);
  respondWith(source);
}

function createThreadSource({ host, runtime, controller }: ThreadSourceParts): ThreadSource {
  const currentId = (): string | undefined => runtime.session.conversation.threadId;
  /** Unsent texts and files by visitor and thread. They last as long as the page. */
  const drafts = new Map<string, { readonly text: string; readonly files: readonly File[] }>();
  const attachments = (): AttachmentsController | undefined =>
    host.shadowRoot?.querySelector<PanelElement>('agent-chat-panel')?.composer.attachments;
  const source: ThreadSource = {
    onChange: undefined,
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
      source.onChange?.();
    },
    async remove(threadId) {
      await runtime.client.extensions.deleteThread(threadId).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 404) throw error; // deleted elsewhere
      });
      const name = nameOf(host, threadId);
      attachments()?.forget(drafts.get(name)?.files ?? []);
      drafts.delete(name);
      if (currentId() === threadId) await runtime.setThread(undefined);
      source.onChange?.();
    },
    open(threadId, unread) {
      const before = currentId();
      if (unread > 0) void runtime.client.deleteNotifications(threadId).catch(() => undefined); // unread until next time
      if (before !== threadId) {
        void runtime.setThread(threadId); // first puts messages that were not sent back into the composer
        const name = nameOf(host, threadId);
        const own = drafts.get(name) ?? { text: '', files: [] };
        drafts.delete(name);
        const { draft } = controller;
        const controls = attachments();
        if (before !== undefined)
          drafts.set(nameOf(host, before), { text: draft, files: controls?.keep() ?? [] });
        controls?.bringBack(own.files);
        // what was written on the home page moves along: no entry of the list leads back to it
        runtime.setDraft(before === undefined ? [own.text, draft].filter(Boolean).join('\n\n') : own.text);
      }
      void runtime.enterPanel();
    },
  };
  return source;
}

function nameOf({ config }: ChatHost, threadId: string): string {
  return `${config.visitor}\n${threadId}`;
}
