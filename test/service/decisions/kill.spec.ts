import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { RunEvent, RunRequest } from '../../../src/protocol/index.ts';
import { startPostgres, type Postgres } from '../postgres.ts';
import { collect, say, spelled, until } from '../running-service.ts';
import { startChild, type ServiceChild } from '../service-child.ts';
import { answer, askedIn, openOffice, type BookingOffice, type Call } from './booking.ts';

/** All states, on both engines, by `npm run test:decisions`; otherwise two states, to keep the suite short. */
const isFull = process.env['DECISIONS'] === 'all';
const engines = isFull ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const);
const testMore = isFull ? test : test.skip;

const slow: Call = ['sound_depth', { berth: 'A4' }];
const repeatable: Call = ['cancel_booking', { booking: 'HB-7' }];

for (const engine of engines) {
  test.describe(`kill -9 on ${engine}`, () => {
    let office: BookingOffice;
    let postgres: Postgres | undefined;
    let environment: Record<string, string>;
    /** The instance that is killed, and on a shared database the one that stays. */
    let child: ServiceChild;
    let other: ServiceChild | undefined;

    test.beforeAll(async () => {
      office = await openOffice();
      let databaseUrl: string | undefined;
      if (engine === 'postgres') {
        postgres = await startPostgres();
        test.skip(postgres === undefined, 'there is no PostgreSQL here');
        if (!postgres) return;
        databaseUrl = await postgres.createDatabase();
      }
      environment = {
        AGENTS_FILE: office.agentsFile,
        DATA_DIR: join(office.directory, 'data'),
        HARBOUR_LOG: join(office.directory, 'harbour.log'),
        RUN_LEASE: '1',
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      };
      child = await startChild(environment);
      if (postgres) other = await startChild({ ...environment, DATA_DIR: join(office.directory, 'data-2') });
    });
    test.afterAll(async () => {
      await child.kill('SIGTERM');
      await other?.kill('SIGTERM');
      await postgres?.stop();
      await office.close();
    });

    const send = (request: RunRequest, to = child): Promise<RunEvent[]> =>
      collect(to.client().runStream(request));
    const ask = (...calls: Call[]): Promise<RunEvent[]> => {
      office.calls = calls;
      return send(say('Go', { agent_id: 'clerk' }));
    };
    const stateOf = async (asked: readonly RunEvent[], to = other ?? child): Promise<string> => {
      const threadId = String(asked[0]?.data['thread_id']);
      const messages = await to.client().extensions.listMessages(threadId);
      const items = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
      const item = items.find(({ id, decision }) => id === askedIn(asked)[0]?.id && decision !== undefined);
      return (item?.['decision'] as { state: string }).state;
    };
    /** Kills the instance, and starts it again. Then the other one, if there is one, takes over. */
    const killAndRestart = async (): Promise<void> => {
      await child.kill();
      child = await startChild(environment);
    };
    const count = (call: string) => office.executed().filter((one) => one.call === call).length;
    /** Decides once more, as Retry does, when the former run has ended. */
    const decideAgain = async (asked: readonly RunEvent[], operation: 'submit' | 'cancel') => {
      let events: RunEvent[] = [];
      await until(async () => {
        events = await send(answer(asked, operation), other ?? child).catch(() => []);
        return events.length > 0;
      }, 20_000);
      return events;
    };

    test('a decision and its outcome are one audit line each, without arguments', async () => {
      const asked = await ask(slow);
      await send(answer(asked, 'submit'));
      const [item] = askedIn(asked);
      await until(() => child.log.some((line) => line.includes('"outcome":"done"')));
      const lines = child.log.filter((line) => line.includes('"audit":"tool_call"'));
      const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(told.filter((line) => line['call_id'] === item?.id)).toEqual(
        ['approved', 'done'].map((outcome) =>
          expect.objectContaining({
            outcome,
            decided_by: 'ada',
            decided_at: expect.any(String),
            server: 'berths',
            tool: 'sound_depth',
            args_sha256: createHash('sha256').update('{"berth":"A4"}').digest('hex'),
          }),
        ),
      );
      expect(lines.join()).not.toContain('A4');
    });

    testMore('while it is asked: it can be decided afterwards, and runs once', async () => {
      const before = count('sound_depth');
      const asked = await ask(slow);
      await killAndRestart();
      expect(await stateOf(asked)).toBe('asked');
      expect(spelled(await send(answer(asked, 'submit'), other ?? child))).toBe('Done.');
      expect(count('sound_depth') - before).toBe(1);
    });

    test('after approval, before the call: the same decision again runs it once', async () => {
      const before = count('sound_depth');
      const asked = await ask(slow);
      const hold = join(office.directory, 'harbour.log.hold');
      writeFileSync(hold, '');
      await killAndRestart(); // the office that is started now does not answer
      void send(answer(asked, 'submit')).catch(() => undefined);
      await until(async () => (await stateOf(asked)) === 'approved');
      rmSync(hold);
      await killAndRestart();
      expect(existsSync(hold)).toBe(false);
      const { log } = other ?? child;
      const from = log.length;
      expect(spelled(await decideAgain(asked, 'submit'))).toBe('Done.');
      const outcomes = log
        .slice(from)
        .flatMap((line) => /"audit":"tool_call".*"outcome":"(\w+)"/.exec(line)?.[1] ?? []);
      expect(outcomes).toEqual(['done']); // it was decided before
      expect(count('sound_depth') - before).toBe(1);
      expect(await stateOf(asked)).toBe('done');
    });

    test('while it runs: it is unknown, and is not repeated', async () => {
      const before = count('sound_depth');
      const asked = await ask(slow);
      void send(answer(asked, 'submit')).catch(() => undefined);
      await until(() => count('sound_depth') > before);
      await killAndRestart();
      await until(async () => (await stateOf(asked)) === 'unknown', 20_000);
      expect(spelled(await decideAgain(asked, 'submit'))).toBe('Done.');
      expect(office.lastResults()).toEqual([expect.stringContaining('nobody knows whether it happened')]);
      expect(count('sound_depth') - before).toBe(1);
    });

    testMore('while an idempotent call runs: it is repeated once', async () => {
      const before = count('cancel_booking');
      const asked = await ask(repeatable);
      void send(answer(asked, 'submit')).catch(() => undefined);
      await until(() => count('cancel_booking') > before);
      await killAndRestart();
      await until(async () => (await stateOf(asked)) === 'unknown', 20_000);
      await decideAgain(asked, 'submit');
      expect(count('cancel_booking') - before).toBe(2);
      expect(await stateOf(asked)).toBe('done');
    });

    testMore('after the call, before the answer: the answer is given again, the call is not', async () => {
      const before = count('sound_depth');
      const asked = await ask(slow);
      const { answer: usual } = office.upstream;
      office.upstream.answer = () => undefined; // the model is silent
      void send(answer(asked, 'submit')).catch(() => undefined);
      await until(async () => (await stateOf(asked)) === 'done');
      await killAndRestart();
      office.upstream.answer = usual;
      expect(spelled(await decideAgain(asked, 'submit'))).toBe('Done.');
      expect(office.lastResults()).toEqual([expect.stringContaining('3.4 m')]);
      expect(count('sound_depth') - before).toBe(1);
    });

    testMore('after declining: it never runs', async () => {
      const before = count('sound_depth');
      const asked = await ask(slow);
      const { answer: usual } = office.upstream;
      office.upstream.answer = () => undefined;
      void send(answer(asked, 'cancel')).catch(() => undefined);
      await until(async () => (await stateOf(asked)) === 'declined');
      await killAndRestart();
      office.upstream.answer = usual;
      expect(spelled(await decideAgain(asked, 'cancel'))).toBe('Done.');
      expect(count('sound_depth') - before).toBe(0);
    });
  });
}
