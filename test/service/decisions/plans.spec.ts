import { expect, test } from '@playwright/test';
import type { RunEvent, RunRequest } from '../../../src/protocol/index.ts';
import { seeded } from '../../tools/seeded.ts';
import { startPostgres, type Postgres } from '../postgres.ts';
import { collect, say, startService, until, type RunningService } from '../running-service.ts';
import { answer, askedIn, openOffice, type BookingOffice } from './booking.ts';

/** 1,000 by `npm run test:decisions`, on PostgreSQL with two instances. */
const isFull = process.env['DECISIONS'] === 'all';
const plans = Number(process.env['PLANS'] ?? (isFull ? 1_000 : 12));
const firstSeed = Number(process.env['SEED'] ?? 1);

const actions = [
  'reload',
  'second tab',
  'other instance',
  'double click',
  'late decision',
  'cut stream',
] as const;
type Action = (typeof actions)[number];
type Operation = 'submit' | 'cancel';

let office: BookingOffice;
let postgres: Postgres | undefined;
let instances: RunningService[];

test.beforeAll(async () => {
  office = await openOffice();
  const settings = { agentsFile: office.agentsFile };
  postgres = isFull ? await startPostgres() : undefined;
  if (postgres) {
    const databaseUrl = await postgres.createDatabase();
    instances = [
      await startService({ ...settings, databaseUrl }),
      await startService({ ...settings, databaseUrl }),
    ];
  } else instances = [await startService(settings)];
});
test.afterAll(async () => {
  for (const instance of instances) await instance.close();
  await postgres?.stop();
  await office.close();
});

/** Carries out one plan. Returns what the service took as the decision, and how often the call ran. */
async function carryOut(
  seed: number,
): Promise<{ state: string; taken: Operation[]; ran: number; plan: Action[] }> {
  const { between, pick } = seeded(seed);
  const boat = `Boat ${seed}`;
  office.calls = [['book_berth', { berth: 'A1', boat, nights: 1 }]];
  const [home = instances[0]] = instances;
  if (!home) throw new Error('no instance');
  const away = instances.at(-1) ?? home;
  const asked = await collect(home.client().runStream(say('Book it', { agent_id: 'clerk' })));
  const threadId = String(asked[0]?.data['thread_id']);
  const taken: Operation[] = [];
  const send = async (operation: Operation, to: RunningService, clientId?: string): Promise<void> => {
    const request: RunRequest = answer(asked, operation);
    if (clientId !== undefined) request.message.additional_properties = { client_message_id: clientId };
    const sent = await collect(to.client().runStream(request)).catch(() => undefined);
    if (sent) taken.push(operation);
  };
  const cut = async (operation: Operation, to: RunningService): Promise<void> => {
    const controller = new AbortController();
    const events: RunEvent[] = [];
    const stream = to.client().runStream(answer(asked, operation), { signal: controller.signal });
    try {
      for await (const event of stream) {
        events.push(event);
        controller.abort();
      }
    } catch {
      // cut here, or refused there
    }
    if (events.length > 0) taken.push(operation);
  };
  const plan = Array.from({ length: between(1, 4) }, () => pick(actions));
  const work: Promise<void>[] = [];
  for (const action of plan) {
    const operation = pick(['submit', 'cancel'] as const);
    if (action === 'reload') await home.client().extensions.listMessages(threadId);
    else if (action === 'second tab')
      work.push(send(operation, home), send(pick(['submit', 'cancel']), home));
    else if (action === 'other instance') work.push(send(operation, away));
    else if (action === 'double click') {
      const clientId = `${seed}-${work.length}`;
      work.push(send(operation, home, clientId), send(operation, home, clientId));
    } else if (action === 'late decision') {
      await Promise.all(work);
      work.push(send(operation, away));
    } else work.push(cut(operation, pick([home, away])));
  }
  work.push(send(pick(['submit', 'cancel']), home));
  await Promise.all(work);
  let state = '';
  await until(async () => {
    const messages = await away.client().extensions.listMessages(threadId);
    const items = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const item = items.find((one) => one.id === askedIn(asked)[0]?.id && one['decision'] !== undefined);
    state = (item?.['decision'] as { state: string }).state;
    return ['done', 'failed', 'unknown', 'declined'].includes(state);
  });
  return { state, taken, ran: office.executed().filter(({ args }) => args['boat'] === boat).length, plan };
}

test(`${plans} seeded plans: what was approved ran once, what was declined never`, async () => {
  test.setTimeout(60_000 + plans * 2_000);
  const wrong: string[] = [];
  const seen = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + plans; seed += 1) {
    const { state, taken, ran, plan } = await carryOut(seed);
    seen.set(state, (seen.get(state) ?? 0) + 1);
    const told = `seed ${seed} (${plan.join(', ')}): ${state}, taken ${taken.join(' ')}, ran ${ran} times`;
    const isRight =
      state === 'declined'
        ? ran === 0 && !taken.includes('submit')
        : ran === 1 && !taken.includes('cancel') && taken.includes('submit');
    if (!isRight) wrong.push(told);
  }
  expect(wrong).toEqual([]);
  expect([...seen.keys()].sort()).toEqual(['declined', 'done']);
});
