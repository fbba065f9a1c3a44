import { expect, test } from '@playwright/test';
import { ServiceFailure } from '../../../src/service/agents/agent.ts';
import { UpstreamError } from '../../../src/service/agents/upstream/upstream-error.ts';
import { markModuleError } from '../../../src/service/errors/module-errors.ts';
import { errorSerializer } from '../../../src/service/http/error-serializer.ts';

function failed(): Error {
  const text = 'the visitor wrote:\n    at home (/secret.ts:1:1)';
  return new RangeError(text, { cause: new TypeError('secret too') });
}

test('errors of the service are logged with their messages', () => {
  const logged = errorSerializer(false)(failed());
  expect(logged.message).toContain('the visitor wrote');
  expect(logged.cause).toBe('TypeError: secret too');
  expect(logged.stack).toContain('error-serializer.spec.ts');
});

test('a request that failed is logged with the cause of the cause, which says why', async () => {
  const cause: unknown = await fetch('http://localhost:9/').catch((error: unknown) => error);
  const logged = errorSerializer(false)(new Error('the detector did not answer', { cause }));
  expect(logged.cause).toMatch(/^TypeError: fetch failed; \w+: .+/);
});

test('an error that is its own cause is logged', () => {
  const error = new Error('a circle');
  error.cause = error;
  expect(errorSerializer(false)(error).cause).toContain('a circle');
});

test('errors of a module are logged without their messages, unless the operator or the author asks for them', () => {
  const error = failed();
  markModuleError(error);
  const logged = errorSerializer(false)(error);
  expect(JSON.stringify(logged)).not.toContain('secret');
  expect(logged).toMatchObject({ type: 'RangeError', cause: 'TypeError' });
  expect(logged.message).toContain('LOG_LEVEL=debug');
  expect(logged.stack).toMatch(/^ {4}at failed .*error-serializer\.spec\.ts/);
  expect(errorSerializer(true)(error).message).toContain('the visitor wrote');
});

test('a failure of an upstream is one short line: a stack would come with each run while it is away', () => {
  const cause = UpstreamError.ofStatus(503);
  const logged = errorSerializer(false)(new ServiceFailure('upstream_unavailable', 'Not now.', { cause }));
  expect(logged).toEqual({
    type: 'AgentFailure',
    message: 'Not now.',
    code: 'upstream_unavailable',
    cause: 'UpstreamError: upstream answered 503',
    stack: '',
  });
});
