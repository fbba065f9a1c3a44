import {
  plainTextOf,
  type Agent,
  type AgentEvent,
  type AgentRun,
} from '../../../src/service/agents/agent.ts';
import { scriptedScenarios } from './scenarios.ts';
import { answerFreely } from './answers.ts';

/**
 * "Harbour Help", the demonstration: answers at a human pace and plays any event kind and content item on request.
 * Deterministic: the same words get the same answer. `additional_parameters.delay_ms` sets the pace (28 between words).
 */
export const scriptedAgent: Agent = {
  run(run: AgentRun): AsyncIterable<AgentEvent> {
    const words = /^\s*(\/[\w-]+)\s*([^]*)$/.exec(plainTextOf(run.message));
    const scenario = scriptedScenarios.find(({ command }) => command === words?.[1]?.toLowerCase());
    return scenario ? scenario.play(run, words?.[2]?.trim() ?? '') : answerFreely(run);
  },
};
