import {
  agentKind,
  defaultTimeoutMs,
  headersField,
  readHeaders,
  timeoutField,
  urlField,
} from '../agent-kind.ts';

/** An AG-UI endpoint: LangGraph, CrewAI, Mastra, Pydantic AI, Google ADK and others. */
export const agui = agentKind(
  { url: urlField, headers_env: headersField, timeout: timeoutField },
  async (entry, context) =>
    (await import('../agui.ts')).aguiAgent({
      url: entry.url,
      headers: readHeaders(entry.headers_env, context),
      timeoutMs: entry.timeout ?? defaultTimeoutMs,
      eventLimit: context.eventLimit,
    }),
);
