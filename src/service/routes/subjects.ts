import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { isValidSubject } from '../auth/verify-token.ts';
import { invalid } from '../errors/problem.ts';
import { subjectPattern } from '../http/route-pattern.ts';
import type { ServiceContext } from '../service-context.ts';
import { readRun } from '../storage/event-log.ts';
import { listMessages } from '../storage/messages.ts';
import { listNotifications } from '../storage/notifications.ts';
import { maxListBytes } from '../storage/payload-size.ts';
import { eventId, start, type Cursor } from '../storage/run-events.ts';
import type { Store } from '../storage/store.ts';
import {
  callsOfThread,
  eraseSubject,
  runsOfThread,
  threadsOfSubject,
  usageOfSubject,
  type Subject,
} from '../storage/subjects.ts';
import type { Thread } from '../storage/threads.ts';

/** Number of messages, or notifications, that are read at once. */
const pageSize = 200;

/** Extensions that export and erase everything of one person, for servers with the scope `admin`. */
export function subjectRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, store, engine, usage, audit } = context;
  const path = subjectPattern(settings.productPath);

  app.get<{ Params: { subject: string } }>(path, { exposeHeadRoute: false }, async (request, reply) => {
    const { tenantId, author } = await context.authenticate(request, 'admin');
    const person = { tenantId, subject: subjectOf(request.params.subject) };
    await usage.flush();
    audit.record({ action: 'subject.exported', actor: author, tenant_id: tenantId, subject: person.subject });
    const parts = exportOf(store, person);
    return reply.type('application/json; charset=utf-8').send(Readable.from(renamed(parts, context.rename)));
  });

  app.delete<{ Params: { subject: string } }>(path, async (request) => {
    const { tenantId, author } = await context.authenticate(request, 'admin');
    const subject = subjectOf(request.params.subject);
    await engine.endRuns((run) => run.tenant_id === tenantId && run.author === subject);
    usage.forget({ tenantId, subject });
    await usage.flush(); // what is being written now is erased too
    const erased = await eraseSubject(store, { tenantId, subject });
    await engine.clearJournal();
    await store.eraseDeleted();
    audit.record({ action: 'subject.erased', actor: author, tenant_id: tenantId, subject, ...erased });
    return { subject, ...erased };
  });
}

function subjectOf(subject: string): string {
  if (!isValidSubject(subject)) throw invalid(['path', 'subject'], 'must be the subject of a visitor');
  return subject;
}

async function* renamed(
  parts: AsyncIterable<string>,
  rename: (json: string) => string,
): AsyncGenerator<string> {
  for await (const part of parts) yield rename(part);
}

/** Yields the export as JSON text, in pieces that fit in memory. */
async function* exportOf(store: Store, person: Subject): AsyncGenerator<string> {
  const { database } = store;
  const head = {
    subject: person.subject,
    tenant_id: person.tenantId,
    exported_on: new Date().toISOString(),
    usage: (await usageOfSubject(database, person)).map(({ day, runs, input_tokens, output_tokens }) => ({
      day,
      runs: Number(runs),
      input_tokens: Number(input_tokens),
      output_tokens: Number(output_tokens),
    })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"threads":[`;
  let separator = '';
  for await (const thread of pages((last?: Thread) => threadsOfSubject(database, person, last?.id))) {
    yield separator;
    yield* exportThread(store, thread);
    separator = ',\n';
  }
  yield ']}\n';
}

async function* exportThread(store: Store, thread: Thread): AsyncGenerator<string> {
  const { database } = store;
  const head = {
    id: thread.id,
    agent_id: thread.agent_id,
    title: thread.title ?? thread.agent_title ?? thread.first_words,
    archived: thread.archived === 1,
    created_on: timeOf(thread.created_on),
    updated_on: timeOf(thread.updated_on),
    decisions: (await callsOfThread(database, thread.id)).map((call) => ({
      ...call,
      created_on: timeOf(call.created_on),
      decided_on: timeOf(call.decided_on),
      ended_on: timeOf(call.ended_on),
      expires_on: timeOf(call.expires_on),
    })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  const admit = (): Promise<void> => Promise.resolve();
  const page = { limit: pageSize, bytes: maxListBytes, admit };
  yield* joined(
    pages(async (last?: { stored: { id: string } }) => {
      const found = await listMessages(database, thread.id, {
        ...page,
        ...(last ? { before: last.stored.id } : {}),
      });
      return found.reverse(); // newest first, as the pages go
    }),
    ({ stored }) => stored,
  );
  yield '],"notifications":[';
  yield* joined(
    pages(async (last?: { id?: string | null | undefined }) =>
      (
        await listNotifications(database, thread, { ...page, ...(last?.id ? { before: last.id } : {}) })
      ).reverse(),
    ),
    (notification) => notification,
  );
  yield '],"runs":[';
  let separator = '';
  for (const run of await runsOfThread(database, thread.id)) {
    const fields = {
      id: run.id,
      agent_id: run.agent_id,
      message_id: run.message_id,
      status: run.status,
      created_on: timeOf(run.created_on),
      ended_on: timeOf(run.ended_on),
    };
    yield `${separator}${JSON.stringify(fields).slice(0, -1)},"events":[`;
    yield* joined(
      pages((last?: Cursor) => readRun(store.events, { runId: run.id, cursor: last ?? start })),
      (event) => ({ id: eventId(event), event: event.event, data: JSON.parse(event.json) as unknown }),
    );
    yield ']}';
    separator = ',';
  }
  yield ']}';
}

/** Yields the entries of all pages. @param read returns the page after an entry, empty at the end */
async function* pages<Entry>(read: (last?: Entry) => Promise<readonly Entry[]>): AsyncGenerator<Entry> {
  for (let page = await read(); page.length > 0; page = await read(page.at(-1))) yield* page;
}

async function* joined<Entry>(
  entries: AsyncIterable<Entry>,
  shown: (entry: Entry) => unknown,
): AsyncGenerator<string> {
  let separator = '';
  for await (const entry of entries) {
    yield separator + JSON.stringify(shown(entry));
    separator = ',';
  }
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(Number(ms)).toISOString();
}
