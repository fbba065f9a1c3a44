import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { startBooking } from '../demo/booking-service.ts';

const example = fileURLToPath(new URL('../../demo/clients/approve.mjs', import.meta.url));

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
