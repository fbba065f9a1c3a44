import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type CallToolResult,
  type ElicitResult,
  type Tool,
} from '@modelcontextprotocol/client';
import { inTime } from '../in-time.ts';
import { maxTimeoutMs } from '../max-timeout.ts';
import { version } from '../version.ts';
import type { CallOptions, QuestionAnswer, ServerQuestion } from './call-options.ts';
import { listTools } from './list-tools.ts';
import { createTransport, hasLostItsStream } from './mcp-transport.ts';
import { misnamedTools } from './tool-names.ts';
import { type JsonObject, ToolCallError } from './tool-call.ts';
import type { ServerSettings } from './tool-settings.ts';

/** Limit for opening a connection and listing tools. */
const openTimeoutMs = 10_000;
/** After a failure to connect, runs use the known tools for this long before another attempt. */
const retryDelayMs = 5_000;
/** After a failure, runs wait this long for another attempt. They use the known tools while it goes on. */
const patienceMs = 1_000;
/** How long a list of tools is used: many servers, those without sessions among them, do not say that theirs changed. */
const listMaxAgeMs = 60_000;

type ElicitContent = NonNullable<ElicitResult['content']>;

/** The connection to one MCP server. Opens on first use, and again after it was lost. */
export class McpConnection {
  readonly settings: ServerSettings;
  readonly #report: (text: string) => void;
  #opening: Promise<Client> | undefined;
  #tools: Promise<readonly Tool[]> | undefined;
  /** The last tools that could be listed. */
  #lastTools: readonly Tool[] = [];
  /** By `performance.now()`. */
  #retryAt = 0;
  #hasFailed = false;
  #listedAt = 0;
  #closed = false;
  /** The calls in progress. */
  readonly #calls = new Set<{ readonly runId: string; ask: CallOptions['onQuestion'] }>();
  /** The same, from before the connection is open. */
  readonly #uses = new Set<{ readonly runId: string }>();
  #asksBack = false;
  /** What was reported of the names of tools. */
  #noted: string | undefined;
  #notedInvalid = '';

  /** @param report receives notes for the operator */
  constructor(settings: ServerSettings, report: (text: string) => void) {
    this.settings = settings;
    this.#report = report;
  }

  /**
   * Whether a call of a run must not use this connection: the server has asked questions before, and does not say which
   * of several calls it asks about, so the question could reach another visitor.
   */
  isReservedFor(runId: string): boolean {
    return this.#asksBack && [...this.#uses].some((use) => use.runId !== runId);
  }

  /** Returns the tools of the server; while it cannot be reached, those it had before. Never rejects. */
  async tools(): Promise<readonly Tool[]> {
    const now = performance.now();
    if (now - this.#listedAt > listMaxAgeMs) this.#tools = undefined;
    if (!this.#tools && now < this.#retryAt) return this.#lastTools;
    if (!this.#tools) {
      this.#listedAt = now;
      this.#tools = this.#read();
    }
    return this.#hasFailed ? inTime(this.#tools, patienceMs, () => this.#lastTools) : this.#tools;
  }

  /** Reads the list of tools. Never rejects. */
  #read(): Promise<readonly Tool[]> {
    const reading = this.#list().then(
      (tools) => {
        this.#hasFailed = false;
        return (this.#lastTools = tools);
      },
      (error: unknown) => {
        if (this.#tools === reading) this.#tools = undefined;
        this.#hasFailed = true;
        this.#retryAt = performance.now() + retryDelayMs;
        this.#report(
          `the tools of the MCP server "${this.settings.name}" cannot be listed: ${this.#reasonOf(error)}${adviceOn(error)}`,
        );
        return this.#lastTools;
      },
    );
    return reading;
  }

  /**
   * Calls a tool.
   * @throws ToolCallError, or the signal's reason when it aborts
   */
  async call(name: string, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    const use = { runId: options.runId };
    this.#uses.add(use); // before anything is awaited: other runs look here
    try {
      return await this.#callOpened(name, args, options);
    } catch (error) {
      if (error instanceof ToolCallError && !isServersAnswer(error.cause))
        this.#report(`a call of "${name}" failed: ${error.message}${adviceOn(error.cause)}`);
      throw error;
    } finally {
      this.#uses.delete(use);
    }
  }

  async #callOpened(name: string, args: JsonObject, options: CallOptions): Promise<CallToolResult> {
    const client = await this.#openToCall();
    options.signal.throwIfAborted();
    try {
      return await this.#request(client, name, args, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (hasForgottenSession(error)) {
        this.#lose(client);
        const reopened = await this.#openToCall();
        return await this.#request(reopened, name, args, options).catch((again: unknown) => {
          throw this.#errorOf(again);
        });
      }
      if (SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed) this.#lose(client);
      throw this.#errorOf(error);
    }
  }

  #openToCall(): Promise<Client> {
    return this.#open().catch((cause: unknown) => {
      throw new ToolCallError(`the server "${this.settings.name}" cannot be reached`, {
        mayHaveRun: false,
        cause,
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A connection that is being opened is not waited for: the stop may not take that long.
    await this.#current?.close().catch(() => undefined);
  }

  async #request(
    client: Client,
    name: string,
    args: JsonObject,
    options: CallOptions,
  ): Promise<CallToolResult> {
    const { timeoutMs, signal, runId, traceparent, onProgress, onQuestion } = options;
    const limit = new AbortController();
    const expire = (): void => limit.abort(new CallTimeoutError());
    let timer = setTimeout(expire, timeoutMs);
    const over = new AbortController();
    let questions = 0;
    const call = {
      runId,
      ask: async (question: ServerQuestion, gone: AbortSignal): Promise<QuestionAnswer> => {
        clearTimeout(timer);
        questions += 1;
        try {
          return await onQuestion(question, AbortSignal.any([gone, over.signal]));
        } finally {
          questions -= 1;
          if (questions === 0 && !over.signal.aborted) timer = setTimeout(expire, timeoutMs);
        }
      },
    };
    this.#calls.add(call);
    try {
      // Not `callTool`, which rejects a result that does not fit the tool's `outputSchema` although the call happened.
      return await client.request(
        { method: 'tools/call', params: { name, arguments: args, _meta: { traceparent } } },
        {
          timeout: maxTimeoutMs, // the limit of a call is `limit`
          signal: AbortSignal.any([signal, limit.signal]),
          onprogress: ({ progress, total, message }) => {
            clearTimeout(timer);
            if (questions === 0) timer = setTimeout(expire, timeoutMs);
            onProgress({ progress, total, message });
          },
        },
      );
    } catch (error) {
      if (!limit.signal.aborted) throw error;
      const seconds = Math.round(timeoutMs / 100) / 10;
      throw new ToolCallError(
        `the call took longer than ${seconds} seconds and was cancelled; it may have happened`,
        { mayHaveRun: true, cause: error },
      );
    } finally {
      this.#calls.delete(call);
      clearTimeout(timer);
      over.abort();
    }
  }

  /**
   * Passes a question on to the run whose call is in progress. Cancels it while several runs have calls in progress.
   */
  async #ask(question: ServerQuestion, gone: AbortSignal): Promise<QuestionAnswer> {
    this.#asksBack = true;
    const [call, ...others] = this.#calls;
    if (call && others.every(({ runId }) => runId === call.runId)) return call.ask(question, gone);
    this.#report(`a question of the MCP server "${this.settings.name}" was not shown: it fits several runs`);
    return { action: 'cancel' };
  }

  #reasonOf(error: unknown): string {
    const ended = SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed;
    return ended && this.settings.transport.kind === 'stdio'
      ? 'its process ended; run its command by hand to read why'
      : reasonOf(error);
  }

  #errorOf(error: unknown): ToolCallError {
    if (error instanceof ToolCallError) return error;
    const { name } = this.settings;
    if (isServersAnswer(error)) return new ToolCallError(error.message, { mayHaveRun: false, cause: error });
    if (SdkHttpError.isInstance(error) && error.status >= 300 && error.status < 500)
      return new ToolCallError(`the server "${name}" refused the call (${error.status})`, {
        mayHaveRun: false,
        cause: error,
      });
    if (wasNotSent(error))
      return new ToolCallError(`the server "${name}" cannot be reached`, { mayHaveRun: false, cause: error });
    return new ToolCallError(`the connection to the server "${name}" broke; the call may have happened`, {
      mayHaveRun: true,
      cause: error,
    });
  }

  #open(): Promise<Client> {
    if (this.#closed) return Promise.reject(new Error('the service is stopping'));
    if (this.#opening) return this.#opening;
    const opening = this.#connect();
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }

  async #connect(): Promise<Client> {
    const client = new Client(
      { name: 'agent-chat', version },
      {
        capabilities: { elicitation: { form: { applyDefaults: true } } },
        listChanged: {
          tools: {
            autoRefresh: false,
            debounceMs: 0, // the next step lists them
            onChanged: () => {
              this.#tools = undefined;
            },
          },
        },
      },
    );
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      if (!('requestedSchema' in params)) return { action: 'decline' };
      const question = { message: params.message, schema: params.requestedSchema };
      const answer = await this.#ask(question, mcpReq.signal);
      if (answer.action !== 'accept') return { action: answer.action };
      return { action: 'accept', content: answer.content as ElicitContent }; // valid by the server's schema
    });
    client.onclose = () => this.#lose(client);
    client.onerror = () => undefined; // each failed request rejects
    this.#current = client;
    await client.connect(createTransport(this.settings), { timeout: openTimeoutMs });
    return client;
  }

  /** The client of the open connection, or of the one being opened. */
  #current: Client | undefined;

  /** Forgets a connection, so the next use opens another. */
  #lose(client: Client): void {
    if (this.#current !== client) return;
    this.#current = undefined;
    this.#opening = undefined;
    this.#tools = undefined;
    void client.close().catch(() => undefined);
  }

  async #list(): Promise<readonly Tool[]> {
    const client = await this.#open();
    try {
      return await this.#listBy(client);
    } catch (error) {
      if (!hasForgottenSession(error) || this.#uses.size > 0) throw error; // calls in progress may still get their answers
      this.#lose(client);
      return this.#listBy(await this.#open());
    }
  }

  async #listBy(client: Client): Promise<readonly Tool[]> {
    if (!client.getServerCapabilities()?.tools) return [];
    const tools = await listTools(client, {
      timeout: openTimeoutMs,
      onInvalid: (names) => this.#noteInvalid(names),
    });
    this.#checkNames(tools);
    return tools;
  }

  #noteInvalid(names: readonly string[]): void {
    const list = names.join(', ').slice(0, 300);
    if (list !== '' && list !== this.#notedInvalid)
      this.#report(
        `tools of the MCP server "${this.settings.name}" are left out, because their declarations are invalid: ${list}`,
      );
    this.#notedInvalid = list;
  }

  #checkNames(tools: readonly Tool[]): void {
    const names = tools.map(({ name }) => name);
    const note = misnamedTools(this.settings, names);
    if (note !== undefined && note !== this.#noted) this.#report(note);
    this.#noted = note;
  }
}

class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError';
}

/** Whether a server answered a call with an error, which is for the model. */
function isServersAnswer(error: unknown): error is ProtocolError {
  return ProtocolError.isInstance(error) && !hasLostItsStream(error);
}

/** Whether a server restarted and has forgotten the session, so it did not take the request. */
function hasForgottenSession(error: unknown): boolean {
  return SdkHttpError.isInstance(error) && error.status === 404;
}

function adviceOn(error: unknown): string {
  const isRefused = SdkHttpError.isInstance(error) && (error.status === 401 || error.status === 403);
  return isRefused ? ': check "headers_env"' : '';
}

/** Whether a request failed before any of it reached the server. */
function wasNotSent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code: unknown = Reflect.get(cause, 'code');
    if (code === SdkErrorCode.NotConnected) return true;
    if (typeof code === 'string' && /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code))
      return true;
  }
  return false;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const status = SdkHttpError.isInstance(error) ? `it answered ${error.status}: ` : '';
  return status + (error instanceof Error ? error.message : String(error)).slice(0, 300) + cause;
}
