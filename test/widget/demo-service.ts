import { scriptedAgent } from '../../demo/agents/scripted/scripted-agent.ts';
import type { AgentRun } from '../../src/service/agents/agent.ts';
import type { WireEvent } from '../tools/wire-events.ts';
import { RunService, type PostedRun } from './chat-fixture.ts';

type Data = Readonly<Record<string, unknown>>;

/** A service whose runs the demo agent answers, at once. */
export function demoService(): RunService {
  return new RunService(async (run, number) => {
    const ids = { run_id: crypto.randomUUID(), thread_id: '', message_id: crypto.randomUUID() };
    const told: [event: string, data: Data][] = [['run.started', {}]];
    const items = new Map<string, Data>();
    for await (const event of scriptedAgent.run(runOf(run, ids.run_id))) {
      if (typeof event === 'string') throw new TypeError('the demo agent yields events');
      told.push([event.event, event.data ?? {}]);
      for (const item of piecesIn(event.data)) {
        const id = String(item['id']);
        const before = items.get(id);
        const isText = typeof before?.['text'] === 'string' && typeof item['text'] === 'string';
        items.set(
          id,
          isText ? { ...before, text: `${before['text'] as string}${item['text'] as string}` } : item,
        );
      }
    }
    const ended = new Set(told.map(([event]) => event));
    const message = { id: ids.message_id, role: 'assistant', content: [...items.values()] };
    const isDone = !ended.has('run.failed') && !ended.has('message.interrupt');
    if (items.size > 0 && isDone) told.push(['message.created', { message }]);
    if (isDone) told.push(['run.completed', {}]);
    // after a question the stream closes without it
    if (!ended.has('message.interrupt')) told.push(['done', {}]);
    const now = Date.now();
    return told.map(([event, data], at): WireEvent => {
      return { id: `${now}-${number}${String(at).padStart(4, '0')}`, event, data: { ...ids, ...data } };
    });
  });
}

/** What the demo agent reads of a run. */
function runOf({ message, additional_parameters: more }: PostedRun, runId: string): AgentRun {
  const { signal } = new AbortController();
  const additionalParameters = { ...(more as Data | undefined), delay_ms: 0 };
  return { runId, message, history: [], additionalParameters, signal } as unknown as AgentRun; // not a service's
}

function piecesIn(data: Data | undefined): readonly Data[] {
  const delta = data?.['delta'] as { readonly content?: readonly Data[] } | undefined; // as the demo agent sends it
  return delta?.content ?? [];
}
