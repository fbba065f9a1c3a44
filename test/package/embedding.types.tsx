// What a page written in TypeScript may do with the element; `tsc` is the test.
import type { ReactNode } from 'react';
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents, HTMLAttributes } from 'vue';
import type { AgentChat } from 'agent-chat';
import { AgentChat as AgentChatComponent } from 'agent-chat/react';
import type {} from '../../src/svelte/index.ts';
import type {} from '../../src/vue/index.ts';
import type { EndedRunStatus, RunEndEvent, Starter } from '../../src/widget/index.ts';

/** What was set can be taken back, and reading gives what is in force. */
export function takeBack(chat: AgentChat): string {
  chat.tokenProvider = undefined;
  chat.uploadDocument = undefined;
  chat.starters = undefined;
  chat.layout = undefined;
  chat.primaryColor = undefined;
  chat.open = undefined;
  chat.theme = undefined;
  // @ts-expect-error no such theme
  chat.theme = 'sepia';
  return chat.primaryColor + chat.width;
}

/** Every method may be waited for. */
export function methods(chat: AgentChat): Promise<unknown>[] {
  return [chat.registerRenderer('card', () => 'A card'), chat.show(), chat.setDraft(''), chat.newThread()];
}

/** An attribute takes what HTML takes, also where a property has the same name. */
export function inJsx(): ReactNode {
  return (
    <agent-chat agent-id="x" width={400} version="2" open="" primary-color={undefined} formType="float" />
  );
}

/** A handler or a field that the page may not have. */
export function perhaps(onRunEnd?: (event: RunEndEvent) => void, prompt?: string): ReactNode {
  const starters: readonly Starter[] = [{ title: 'Hello', prompt }];
  window.addEventListener('agent-chat-run-end', (event) => onRunEnd?.(event));
  return (
    <>
      <AgentChatComponent onRunEnd={onRunEnd} starters={starters} />
      <agent-chat onagent-chat-run-end={onRunEnd} />
    </>
  );
}

/** The documents list six ends of a run, and there are no others. */
const ends: Readonly<Record<EndedRunStatus, string>> = {
  completed: 'done',
  failed: 'failed',
  expired: 'too late',
  cancelled: 'stopped',
  interrupted: 'broken off',
  waiting: 'asks back',
};
document.addEventListener('agent-chat-run-end', ({ status }) => (document.title = ends[status]));

document.addEventListener('agent-chat-error', ({ kind }) => kind === 'rate-limit');
document.addEventListener('agent-chat-connection-change', ({ connection }) => connection === 'stalled');
// @ts-expect-error no run ends so
document.addEventListener('agent-chat-run-end', ({ status }) => status === 'complete');

// @ts-expect-error properties keep their types
export const wrong = <agent-chat formType="square" />;

/** Checked templates of Vue (`strictTemplates`) and Svelte know the element, its settings and its events. */
type VueProps = InstanceType<GlobalComponents['agent-chat']>['$props'];
export const inVue: VueProps = {
  agentId: 'x',
  width: '400',
  lang: 'de',
  dir: 'rtl',
  starters: [{ title: 'Hello' }],
  onAgentChatRunEnd: (event) => event.status,
};
export const inSvelte: SvelteHTMLElements['agent-chat'] = {
  'agent-id': 'x',
  lang: 'de',
  dir: 'rtl',
  starters: [{ title: 'Hello' }],
  'onagent-chat-run-end': (event) => event.status,
};
/** What goes into a slot of the element. */
export const slottedInVue: HTMLAttributes = { slot: 'header' };
// @ts-expect-error properties keep their types there
export const wrongInVue: VueProps = { starters: 5 };
