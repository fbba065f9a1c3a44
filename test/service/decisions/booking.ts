import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunEvent, RunRequest, ToolApprovalItem } from '../../../src/protocol/index.ts';
import { say } from '../running-service.ts';
import { startUpstream, type Upstream, type UpstreamReply } from '../upstream.ts';

/** A message of a chat-completions request. */
export interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export type Call = readonly [name: string, args: unknown];

/** A model and a harbour office whose tools need approval, for a service with `agentsFile`. */
export interface BookingOffice {
  readonly agentsFile: string;
  readonly directory: string;
  readonly upstream: Upstream;
  /** What the model does unless its last message is a tool result; then, it says "Done." */
  calls: readonly Call[];
  /** The calls that the office executed, in order. */
  executed(): { call: string; args: Record<string, unknown> }[];
  /** The results that the model got in its last request. */
  lastResults(): (string | null)[];
  close(): Promise<void>;
}

const harbour = fileURLToPath(new URL('../../../demo/agents/harbour.mjs', import.meta.url));

/** The booking that most tests ask for. */
export const booking: Call = ['book_berth', { berth: 'A1', boat: 'Wal', nights: 2 }];

/**
 * Starts the model. The office is started by the service.
 * @param options.agents further agents; those without a `kind` ask the same model
 * @param options.patienceMs how long the office waits for the visitor's answer. Default: as long as it takes.
 */
export async function openOffice(
  options: { tools?: object; agents?: object[]; patienceMs?: number } = {},
): Promise<BookingOffice> {
  const upstream = await startUpstream();
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-decisions-'));
  const log = join(directory, 'harbour.log');
  process.env['HARBOUR_LOG'] = log;
  const server = {
    name: 'berths',
    command: process.execPath,
    args: [harbour, '200', ...(options.patienceMs === undefined ? [] : [String(options.patienceMs)])],
    env: ['HARBOUR_LOG'],
    approve: 'writes',
    approve_tools: { sound_depth: 'always' },
  };
  const model = { kind: 'openai', base_url: upstream.address, model: 'm' };
  const tools = { mcp_servers: [server], show_tool_details: true, ...options.tools };
  const agentsFile = join(directory, 'agents.json');
  const agents = [
    { ...model, id: 'clerk', tools },
    ...(options.agents ?? []).map((agent) => ('kind' in agent ? agent : { ...model, ...agent })),
  ];
  writeFileSync(agentsFile, JSON.stringify({ agents }));
  const lines = (): string[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  const office: BookingOffice = {
    agentsFile,
    directory,
    upstream,
    calls: [booking],
    executed: () =>
      lines().map((line) => JSON.parse(line) as { call: string; args: Record<string, unknown> }),
    lastResults: () =>
      (upstream.requests.at(-1)?.body.messages as unknown as ChatMessage[])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
    close: async () => {
      await upstream.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  upstream.answer = (request, send) => {
    const fault = pairingFault(request.body.messages as unknown as ChatMessage[]);
    if (fault) return send.fail(400);
    const messages = request.body.messages as unknown as ChatMessage[];
    const asked = messages.findLast(({ role }) => role === 'user')?.content;
    // a model answers the last message
    if (messages.at(-1)?.role === 'tool' || asked === 'chat') answerText(send, 'Done.');
    else answerCalls(send, office.calls);
  };
  return office;
}

/**
 * Why a strict upstream rejects a history; undefined if it does not. Each call needs its result right after it. The
 * assistant speaks in turns, not last, and does not say what only a form contains.
 */
export function pairingFault(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  if (messages.at(-1)?.role === 'assistant' && !messages.at(-1)?.tool_calls)
    return 'the assistant speaks last';
  for (const [place, message] of messages.entries()) {
    if (message.role === 'assistant') {
      if (messages[place - 1]?.role === 'assistant') return 'the assistant speaks twice in a row';
      if (/form_data|tool_approval/.test(message.content ?? '')) return `a form as words: ${message.content}`;
    }
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? ''))
        return `a result without its call: ${message.tool_call_id}`;
      continue;
    }
    if (open.size > 0) return `calls without results: ${[...open].join(', ')}`;
    open = new Set(message.tool_calls?.map(({ id }) => id));
  }
  return open.size > 0 ? 'calls without results at the end' : undefined;
}

export function answerCalls(send: UpstreamReply, calls: readonly Call[]): void {
  calls.forEach(([name, args], index) =>
    send.part({
      tool_calls: [{ index, id: `c${index}`, function: { name, arguments: JSON.stringify(args) } }],
    }),
  );
  send.part({}, { finish_reason: 'tool_calls' });
  send.end();
}

export function answerText(send: UpstreamReply, text: string): void {
  send.part({ content: text }, { finish_reason: 'stop' });
  send.end();
}

/** The decisions that a run asked for. */
export function askedIn(events: readonly RunEvent[]): ToolApprovalItem[] {
  return events
    .filter(({ event }) => event === 'message.created')
    .flatMap(({ data }) => (data['message'] as { content: ToolApprovalItem[] }).content)
    .filter((item) => item.sub_type === 'tool_approval');
}

/** The id of the message that asked. */
export function askingMessage(events: readonly RunEvent[]): string {
  const asking = events.findLast(({ event }) => event === 'message.created');
  return String(asking?.data['message_id']);
}

/** The answer to a decision, as any client of the interface writes it. */
export function answer(
  events: readonly RunEvent[],
  operation: 'submit' | 'cancel',
  more: Record<string, unknown> = {},
  place = 0,
): RunRequest {
  const id = askedIn(events)[place]?.id ?? '';
  const item = {
    response_type: 'form_operation',
    sub_type: 'tool_approval',
    id,
    form_operation: operation,
    ...more,
  };
  const request = say('', { agent_id: 'clerk', thread_id: String(events[0]?.data['thread_id']) });
  return {
    ...request,
    message: { role: 'user', parent_message_id: askingMessage(events), content: [item] },
  };
}
