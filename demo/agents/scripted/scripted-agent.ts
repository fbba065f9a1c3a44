import {
  plainTextOf,
  type Agent,
  type AgentEvent,
  type AgentRun,
} from '../../../src/service/agents/agent.ts';
import { scriptedScenarios } from './scenarios.ts';
import { answerFreeText } from './answers.ts';

/**
 * "Harbour Help", the demo agent: answers at a human pace and plays any event kind and content item on
 * request. Deterministic: the same text gets the same answer. `additional_parameters.delay_ms` sets the delay
 * between words (default 28).
 */
export const scriptedAgent: Agent = {
  run(run: AgentRun): AsyncIterable<AgentEvent> {
    const words = /^\s*(\/[\w-]+)\s*([^]*)$/.exec(plainTextOf(run.message));
    const scenario = scriptedScenarios.find(({ command }) => command === words?.[1]?.toLowerCase());
    return scenario ? scenario.play(run, words?.[2]?.trim() ?? '') : answerFreeText(run);
  },
};
