import { expect, test } from '@playwright/test';
import { AgentFailure } from '../../../../src/service/agents/agent.ts';
import {
  toAgentFailure,
  UpstreamError,
  type UpstreamFault,
} from '../../../../src/service/agents/upstream/upstream-error.ts';

const run = { signal: new AbortController().signal };
const faults: UpstreamFault[] = ['status', 'unreachable', 'timeout', 'no_answer', 'cut'];

test('a failure tells the visitor what to do, and claims nothing that the service does not do', () => {
  for (const fault of faults)
    for (const status of [400, 401, 404, 429, 500, undefined]) {
      const failure = toAgentFailure(new UpstreamError(fault, 'x', status ? { status } : {}), run);
      if (!(failure instanceof AgentFailure)) throw new Error('no failure for the visitor');
      expect(failure.code).toMatch(/^upstream_/);
      expect(failure.message).not.toContain('notified');
      expect(failure.message).toMatch(/try again|happens again/i);
    }
});
