import type { Message } from '../../protocol/index.ts';
import { plainTextOf, type AgentRun, type RegisteredAgent } from '../agents/agent.ts';
import { messageContent } from '../telemetry/gen-ai.ts';
import type { Span } from '../telemetry/span.ts';
import type { Run } from '../storage/runs.ts';
import type { EngineReports } from './engine-reports.ts';

/** What an agent tells the service about its run. */
export type AgentReports = Pick<AgentRun, 'report' | 'warn' | 'countTokens'>;

/** Measures one run, for the reports and the run's span. */
export class RunMeter {
  readonly #run: Run;
  readonly #agent: RegisteredAgent;
  readonly #reports: EngineReports;
  readonly #span: Span;
  readonly #began = performance.now();
  readonly #tokens = { input: 0, output: 0 };
  readonly #answer: string[] = [];
  #hasSpoken = false;
  #failure: string | undefined;

  constructor(options: {
    readonly run: Run;
    readonly agent: RegisteredAgent;
    readonly reports: EngineReports;
    readonly span: Span;
  }) {
    this.#run = options.run;
    this.#agent = options.agent;
    this.#reports = options.reports;
    this.#span = options.span;
    this.#reports.runStarted(this.#agent.id);
  }

  /** Functions for the agent of the run. */
  forAgent(): AgentReports {
    return {
      report: (text) => this.#reports.note(text, this.#agent.id),
      warn: (text) => this.#reports.warn(text, this.#run),
      countTokens: ({ input, output }) => {
        this.#tokens.input += input;
        this.#tokens.output += output;
      },
    };
  }

  /** Adds the message that the agent gets, which the guardrails have checked, to the span. */
  recordInput({ message }: AgentRun): void {
    this.#span.setContent(() => messageContent('input', message.role ?? 'user', [plainTextOf(message)]));
  }

  event(event: string): void {
    this.#reports.event(event);
    if (this.#hasSpoken || event !== 'message.delta') return;
    this.#hasSpoken = true;
    this.#reports.firstToken(this.#agent.id, (performance.now() - this.#began) / 1000);
  }

  guardrail(stop: { readonly guardrail: string; readonly side: string }): void {
    this.#failure = `guardrail_${stop.guardrail}`;
    this.#reports.guardrailStop(this.#agent.id, stop);
  }

  /** An error for the log. It need not be why the run ended: see `failed`. */
  error(error: unknown): void {
    this.#reports.error(error, 'a run failed', this.#run);
  }

  /** The run does not complete. @param code why; the agent's own word, or the service's */
  failed(code = 'agent_error'): void {
    this.#failure ??= code;
  }

  /** A message of the agent is stored. */
  answered(message: Message): void {
    this.#span.setContent(() => {
      this.#answer.push(plainTextOf(message));
      return messageContent('output', 'assistant', this.#answer);
    });
  }

  /** @param status the run's final status */
  ended(status: string): void {
    const seconds = (performance.now() - this.#began) / 1000;
    this.#span.set({
      'agent_chat.run.status': status,
      'gen_ai.usage.input_tokens': this.#tokens.input || undefined,
      'gen_ai.usage.output_tokens': this.#tokens.output || undefined,
    });
    if (status === 'failed') this.#span.end(this.#failure ?? 'agent_error');
    else this.#span.end(status === 'expired' ? 'timeout' : undefined);
    const { id: agentId } = this.#agent;
    const { traceId } = this.#span;
    const reason = this.#failure;
    this.#reports.runEnded({
      run: this.#run,
      agentId,
      status,
      reason,
      seconds,
      tokens: this.#tokens,
      traceId,
    });
  }
}
