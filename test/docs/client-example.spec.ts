import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { startBooking } from '../demo/booking-service.ts';
import { startService } from '../service/running-service.ts';

const example = fileURLToPath(new URL('../../demo/clients/approve.mjs', import.meta.url));
const inPython = fileURLToPath(new URL('../../demo/clients/ask.py', import.meta.url));

test('the client of the documents sees a decision as a form, answers it, and the berth is booked', async () => {
  const service = await startBooking();
  const env = {
    ...process.env,
    FORCE_COLOR: '0',
    CHAT_URL: service.baseUrl,
    CHAT_TOKEN: await service.token(),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
  await service.close();
  expect(stdout).toContain("Book a berth? { berth: 'B2', boat: 'Wal', nights: 2 }");
  expect(stdout).toContain('Your number is **HB-1001**');
});

test('the client in Python asks, goes on in the thread, and says why it was refused', async () => {
  const isThere = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0;
  test.skip(!isThere, 'skipped: python3 is not installed');
  const running = await startService();
  const ask = async (words: readonly string[], more: object = {}) => {
    const env = { ...process.env, CHAT_URL: running.address, CHAT_TOKEN: await running.token(), ...more };
    return promisify(execFile)('python3', [inPython, ...words], { env });
  };
  try {
    const { stdout, stderr } = await ask(['When is high water?']);
    expect(stdout).toBe('When is high water?');
    const thread = stderr.replace('thread ', '').trim();
    expect((await ask(['And low water?', thread])).stderr).toContain(thread);
    await expect(ask(['Ahoy'], { CHAT_AGENT: 'nobody' })).rejects.toThrow('no such agent');
  } finally {
    await running.close();
  }
});
