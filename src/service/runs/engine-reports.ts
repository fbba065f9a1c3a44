import type { Run } from '../storage/runs.ts';

/** Reports of the engine for the operator. */
export interface EngineReports {
  /** Something failed. @param what the log message, as a clause: `a run failed` */
  readonly error: (error: unknown, what: string, run?: Run) => void;
  /** A note of an agent, such as a retried request. */
  readonly note: (text: string, agentId: string) => void;
  /** Something is wrong with the answer of an agent. */
  readonly warn: (text: string, run: Run) => void;
  /** An event of this kind was sent. */
  readonly event: (event: string) => void;
  /** The first piece of an answer was produced. */
  readonly firstToken: (agentId: string, seconds: number) => void;
  readonly guardrailStop: (
    agentId: string,
    stop: { readonly guardrail: string; readonly side: string },
  ) => void;
  /** Another instance took over a run of this one. */
  readonly leaseLost: (agentId: string) => void;
  /** This instance ended a run of a process that died. */
  readonly orphanEnded: (run: Run) => void;
  readonly runStarted: (agentId: string) => void;
  readonly runEnded: (ended: EndedRun) => void;
}

/** A run that has ended. */
export interface EndedRun {
  readonly run: Run;
  readonly agentId: string;
  readonly status: string;
  /** Why it did not complete. */
  readonly reason: string | undefined;
  readonly seconds: number;
  /** Tokens that the agent reported. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** `undefined`: the run is not traced. */
  readonly traceId: string | undefined;
}
