import { expect, test } from '@playwright/test';
import { scenarios } from '../../../demo/playground/scenarios.ts';
import { scriptedScenarios } from '../../../demo/agents/scripted/scenarios.ts';

test('the demo agent plays every command of the playground', () => {
  const commands = scriptedScenarios.map((scenario) => scenario.command);
  const offered = scenarios.map((scenario) => scenario.says).filter((words) => words.startsWith('/'));
  expect(offered.length).toBeGreaterThan(10);
  for (const words of offered) expect(commands).toContain(words.split(' ')[0]);
});
