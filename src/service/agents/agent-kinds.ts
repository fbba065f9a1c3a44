import * as z from 'zod/mini';
import { variableField } from '../setting-reader.ts';
import { toolsSchema } from '../tools/tool-settings.ts';
import {
  agentKind,
  defaultTimeoutMs,
  headersField,
  readHeaders,
  textField,
  timeoutField,
  urlField,
  type AgentKind,
} from './agent-kind.ts';
import { echoAgent } from './echo.ts';
import { modelFields, modelUrlField, readModelSettings } from './model-settings.ts';

/** The kinds of agents, by the `kind` of their entries in the agents file. */
export const agentKinds: Readonly<Record<string, AgentKind>> = {
  /** The demo agent of the agent-chat command. */
  scripted: agentKind({}, (_entry, { scriptedAgent }) => {
    if (!scriptedAgent) throw new Error('the kind "scripted" is available in the agent-chat command only');
    return scriptedAgent;
  }),

  /** Answers with the visitor's text. */
  echo: agentKind({}, () => echoAgent),

  /** A JavaScript module in this process. */
  module: agentKind(
    { module: textField, tools: z.optional(toolsSchema) },
    async ({ module: path, tools }, context) =>
      (await import('./module.ts')).moduleAgent(context.file(path), tools && (await context.toolset(tools))),
  ),

  /** A recorded run stream. */
  replay: agentKind({ file: textField }, async ({ file }, context) =>
    (await import('./replay.ts')).replayAgent(context.file(file)),
  ),

  /** A back end in any language that answers with a run stream of this interface. */
  http: agentKind(
    {
      url: urlField,
      headers_env: headersField,
      signing_secret_env: z.optional(variableField),
      timeout: timeoutField,
    },
    async (entry, context) => {
      const { signing_secret_env: secretVariable } = entry;
      return (await import('./http.ts')).httpAgent({
        url: entry.url,
        headers: readHeaders(entry.headers_env, context),
        signingSecret: secretVariable === undefined ? undefined : context.variable(secretVariable),
        timeoutMs: entry.timeout ?? defaultTimeoutMs,
        eventLimit: context.eventLimit,
      });
    },
  ),

  /** An AG-UI endpoint: LangGraph, CrewAI, Mastra, Pydantic AI, Google ADK and others. */
  agui: agentKind(
    { url: urlField, headers_env: headersField, timeout: timeoutField },
    async (entry, context) => {
      const headers = readHeaders(entry.headers_env, context);
      return (await import('./agui.ts')).aguiAgent({
        url: entry.url,
        headers,
        timeoutMs: entry.timeout ?? defaultTimeoutMs,
        eventLimit: context.eventLimit,
      });
    },
  ),

  /** A service with OpenAI's chat-completions API: OpenAI, Gemini, Ollama, vLLM, LiteLLM, LM Studio. */
  openai: agentKind(
    { ...modelFields, base_url: modelUrlField, starts_with_reasoning: z.optional(z.boolean()) },
    async (entry, context) => {
      const settings = readModelSettings(entry, context); // first: a missing package hides no missing variable
      const toolset = await context.toolset(entry.tools);
      return (await import('./openai.ts')).openAiAgent(settings, toolset);
    },
  ),

  /** A service with OpenAI's Responses API, or an Open Responses service. */
  responses: agentKind(modelFields, async (entry, context) => {
    const settings = readModelSettings(entry, context);
    const toolset = await context.toolset(entry.tools);
    return (await import('./responses.ts')).responsesAgent(settings, toolset);
  }),

  /** A model of Anthropic, or of a service with its Messages API. */
  anthropic: agentKind(modelFields, async (entry, context) => {
    const settings = readModelSettings(entry, context);
    const toolset = await context.toolset(entry.tools);
    return (await import('./anthropic.ts')).anthropicAgent(settings, toolset);
  }),
};
