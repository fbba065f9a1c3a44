import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { createAgentClient, HttpError, type AgentClient } from '../../src/client/index.ts';
import type { Message, RunEvent, RunRequest, StoredMessage } from '../../src/protocol/index.ts';
import { atOnce, collect, say, spelled, until, type RunningService } from '../service/running-service.ts';
import { fullMessage, fullRequest } from './full-request.ts';
import { threadListSuite } from './thread-list-suite.ts';

/** What the client and the service promise each other, whatever the service stores it in. */
export function contractSuite(engine: string, service: () => RunningService): void {
  /** A client of a server. */
  const server = (): AgentClient =>
    createAgentClient({ baseUrl: service().address, tokenProvider: () => service().serverKey });

  threadListSuite(engine, service);

  test(`${engine}: every field of a run request reaches the agent`, async () => {
    const request: RunRequest = { ...fullRequest, message: { ...fullMessage, content: '/request' } };
    const events = await collect(service().client('full').runStream(request));
    const told = JSON.parse(spelled(events).replace(/^```json\n|\n```$/g, '')) as Record<string, unknown>;
    const { agent_id: _agent, thread_id: _thread, message, ...handed } = request;
    expect(told).toMatchObject(handed);
    expect(told['message']).toMatchObject(message);
  });

  test(`${engine}: every field of a message is stored and returned as it was sent`, async () => {
    const client = service().client('fields');
    const events = await collect(client.runStream({ ...fullRequest, agent_id: 'echo' }));
    const threadId = threadOf(events);
    const [asked, answered] = await client.extensions.listMessages(threadId);
    expect(asked).toMatchObject(fullMessage);
    expect(asked?.thread_id).toBe(threadId);
    expect(answered).toMatchObject({ role: 'assistant', parent_message_id: asked?.id, thread_id: threadId });
    const created = events.find((event) => event.event === 'message.created');
    expect(created?.data['message']).toMatchObject({ id: answered?.id, content: answered?.content });
  });

  test(`${engine}: who wrote a message is stored by the service, whatever the request says`, async () => {
    const client = service().client('writer');
    const forged = { author: { kind: 'agent', id: 'echo' }, client_message_id: randomUUID() };
    const events = await collect(
      client.runStream(
        say('hello', { agent_id: 'echo', ...atOnce, message: { additional_properties: forged } }),
      ),
    );
    const threadId = threadOf(events);
    const visitor = { kind: 'visitor', id: 'writer' };
    const agent = { kind: 'agent', id: 'echo' };
    const posted = { content: 'from outside', additional_properties: { author: visitor } };
    const byServer = await server().postCallback(threadId, posted);
    expect(byServer).toMatchObject({ additional_properties: { author: { kind: 'server', id: 'backend' } } });
    const byVisitor = await client.postCallback(threadId, {
      ...posted,
      additional_properties: { author: agent },
    });
    expect(byVisitor).toMatchObject({ additional_properties: { author: visitor } });
    const stored = await client.extensions.listMessages(threadId);
    expect(stored.map(({ additional_properties: more }) => more?.['author'])).toEqual([
      visitor,
      agent,
      { kind: 'server', id: 'backend' },
      visitor,
    ]);
    const created = events.find(({ event }) => event === 'message.created');
    expect(created?.data['message']).toMatchObject({ additional_properties: { author: agent } });
  });

  test(`${engine}: characters that are difficult for databases are returned unchanged`, async () => {
    const client = service().client('odd');
    const text = 'nul \u0000 lone \ud800 tab \t quote " slash \\ ⛵';
    const events = await collect(client.runStream(say(text, { agent_id: 'echo', ...atOnce })));
    const threadId = threadOf(events);
    const role = 'odd\u0000role';
    expect(await server().postCallback(threadId, { role, content: text })).toMatchObject({
      role,
      content: text,
    });
    const [asked, answered] = await client.extensions.listMessages(threadId);
    expect(asked?.content).toEqual([{ response_type: 'text', text }]);
    expect(answered?.content).toMatchObject([{ response_type: 'text', text }]);
    const again = await collect(
      service().client('odd').extensions.runEvents(String(events[0]?.data['run_id'])),
    );
    expect(again).toEqual(events);
  });

  test(`${engine}: a run sends its events in order, with ascending ids, and ends with done`, async () => {
    const events = await collect(
      service()
        .client()
        .runStream(say('hello quay', { agent_id: 'echo', ...atOnce })),
    );
    const kinds = events.map((event) => event.event).filter((kind, place, all) => kind !== all[place - 1]);
    expect(kinds).toEqual([
      'run.started',
      'message.started',
      'message.delta',
      'message.created',
      'message.completed',
      'run.completed',
      'done',
    ]);
    expect(spelled(events)).toBe('hello quay');
    const places = events.map((event) => event.id.split('-').map(Number) as [number, number]); // our service's ids
    for (const [place, id] of places.entries()) {
      const before = places[place - 1];
      if (before) expect(id[0] > before[0] || (id[0] === before[0] && id[1] > before[1])).toBe(true);
    }
  });

  test(`${engine}: a config is stored whole, can be read, and its script contains all of it`, async () => {
    const client = service().client('publisher', { tenantId: `tenant-${randomUUID()}` });
    const layout = {
      primary_color: '#112233',
      second_color: '#445566',
      accent_color: '#778899',
      theme: 'dark',
      enable_text_streaming: false,
      form: {
        type: 'custom',
        properties: { container_id: 'here', width: '30em', height: '40vh', beyond: 1 },
        beyond: 2,
      },
      beyond: 3,
    };
    const put = await client.putEmbeddedChatConfig('demo', { layout, is_live: false });
    expect(put).toMatchObject({ layout, is_live: false });
    expect(Number.isNaN(Date.parse(put.updated_at ?? ''))).toBe(false);
    for (const value of ['#112233', '#445566', '#778899', 'dark', 'custom', 'here', '30em', '40vh'])
      expect(put.script).toContain(`="${value}"`);
    expect(put.script).toContain('data-enable-text-streaming="false"');
    expect(put.script).toContain('data-is-live="false"');
    expect(put.script).not.toMatch(/token/i);
    expect(await client.extensions.getEmbeddedChatConfig('demo')).toEqual(put);

    const again = await client.putEmbeddedChatConfig('demo', { layout: { theme: 'light' } });
    expect(again.layout).toEqual({ theme: 'light' });
    expect(again.is_live).toBe(false);
    const fresh = await client.putEmbeddedChatConfig('echo', { layout: {} });
    expect(fresh.is_live).toBe(true);
  });

  test(`${engine}: a callback is stored whole, returned, and arrives live`, async () => {
    const client = service().client('caller');
    const threadId = threadOf(await collect(client.runStream(say('hi', { agent_id: 'echo', ...atOnce }))));
    const gone = new AbortController();
    const arrived: RunEvent[] = [];
    const following = (async () => {
      for await (const event of client.extensions.threadEvents(threadId, { signal: gone.signal }))
        arrived.push(event);
    })().catch(() => undefined);
    const stored = await server().postCallback(threadId, { ...fullMessage, role: 'assistant' });
    expect(stored).toMatchObject({ ...fullMessage, role: 'assistant', thread_id: threadId });
    await until(() => arrived.length > 0);
    expect(arrived[0]).toMatchObject({
      event: 'message.created',
      data: { thread_id: threadId, message_id: stored?.id },
    });
    gone.abort();
    await following;
    const missed: RunEvent[] = [];
    await client.postCallback(threadId, { content: [{ response_type: 'text', text: 'later' }] });
    const again = new AbortController();
    for await (const event of client.extensions.threadEvents(threadId, {
      lastEventId: arrived[0]?.id ?? '',
      signal: again.signal,
    })) {
      missed.push(event);
      break;
    }
    expect(JSON.stringify(missed[0]?.data)).toContain('later');
    expect((await client.extensions.listMessages(threadId)).map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'assistant',
      'user',
    ]);
  });

  test(`${engine}: notifications are listed in pages, starting with the newest`, async () => {
    const client = service().client('notified');
    const threadId = threadOf(await collect(client.runStream(say('hi', { agent_id: 'echo', ...atOnce }))));
    for (let count = 0; count < 5; count += 1) await client.createNotification({ thread_id: threadId });
    const all = (await client.extensions.listNotifications(threadId)).map(({ id }) => id);
    const page = async (query: string): Promise<unknown> => {
      const answer = await service().request('GET', `/api/v1/notifications/?thread_id=${threadId}&${query}`, {
        token: await service().token('notified'),
      });
      const { notifications } = (await answer.json()) as { notifications?: { id: string }[] };
      return notifications?.map(({ id }) => id) ?? answer.status;
    };
    expect(await page('limit=2')).toEqual(all.slice(3));
    expect(await page(`limit=2&before=${all[3]?.toUpperCase()}`)).toEqual(all.slice(1, 3));
    expect(await page(`before=${all[1]}`)).toEqual(all.slice(0, 1));
    expect(await page(`before=${randomUUID()}`)).toEqual([]);
    expect([await page('limit=0'), await page('before=x')]).toEqual([422, 422]);
  });

  test(`${engine}: notifications are filled in, listed, repeated, refused and deleted`, async () => {
    const client = service().client('notified');
    const threadId = threadOf(await collect(client.runStream(say('hi', { agent_id: 'echo', ...atOnce }))));
    const made = await client.createNotification({ thread_id: threadId });
    expect(made).toMatchObject({ thread_id: threadId, tenant_id: 'quay', run_id: null });
    expect(made?.id).toMatch(/^[0-9a-f-]{36}$/);
    const full = {
      id: randomUUID(),
      thread_id: threadId,
      run_id: randomUUID(),
      tenant_id: 'quay',
      created_on: '2026-01-31T09:41:00Z',
      updated_at: '2026-01-31T09:41:01.5+02:00',
      beyond: 'kept',
    };
    expect(await client.createNotification(full)).toEqual(full);
    expect(await client.createNotification(full)).toEqual(full);
    await expect(client.createNotification({ ...full, run_id: randomUUID() })).rejects.toMatchObject({
      status: 409,
    });
    await expect(client.createNotification({ ...full, tenant_id: 'other' })).rejects.toMatchObject({
      status: 403,
    });
    expect(await client.extensions.listNotifications(threadId)).toEqual([made, full]);
    await client.deleteNotifications(threadId);
    await client.deleteNotifications(threadId);
    expect(await client.extensions.listNotifications(threadId)).toEqual([]);
    await expect(client.deleteNotifications(randomUUID())).rejects.toMatchObject({ status: 404 });
  });

  test(`${engine}: records that differ only in null fields or the case of an id are equal`, async () => {
    const client = service().client('repeating');
    const threadId = threadOf(await collect(client.runStream(say('hi', { agent_id: 'echo', ...atOnce }))));
    const id = randomUUID();
    const stored = await client.createNotification({ id, thread_id: threadId });
    for (const again of [
      { id, thread_id: threadId, run_id: null, tenant_id: null, beyond: null },
      { id: id.toUpperCase(), thread_id: threadId.toUpperCase() },
      stored ?? { thread_id: threadId },
    ]) {
      const response = await service().request('POST', '/api/v1/notifications/', {
        token: await service().token('repeating'),
        body: again,
      });
      expect(response.status, JSON.stringify(again)).toBe(201);
      expect(await response.json()).toEqual(stored);
    }
    await expect(
      client.createNotification({ id, thread_id: threadId, created_on: '2026-01-31T09:41:00Z' }),
    ).rejects.toMatchObject({ status: 409 });

    const callback = (content: unknown) => ({
      content,
      additional_properties: { client_message_id: id },
    });
    const messages: unknown[] = [];
    for (const content of [[{ text: 'a' }], [{ id: null, text: 'a' }]]) {
      const response = await service().request('POST', `/api/v1/callback/${threadId}`, {
        token: await service().token('repeating'),
        body: callback(content),
      });
      expect(response.status).toBe(201);
      messages.push(await response.json());
    }
    expect(messages[1]).toEqual(messages[0]);
  });

  test(`${engine}: a finished run is replayed whole, and from any event`, async () => {
    const client = service().client('replayer');
    const events = await collect(
      client.runStream(say('a text of some length', { agent_id: 'echo', ...atOnce })),
    );
    const runId = String(events[0]?.data['run_id']);
    expect(await collect(service().client('replayer').extensions.runEvents(runId))).toEqual(events);
    for (const [place, event] of events.entries()) {
      // A client drops what it has seen before, so each place is read by a fresh one.
      const fresh = service().client('replayer').extensions;
      const rest = await collect(fresh.runEvents(runId, { lastEventId: event.id }));
      expect(rest).toEqual(events.slice(place + 1));
    }
  });

  test(`${engine}: a run is found by its client_message_id, by its sender only`, async () => {
    const client = service().client('finder');
    const id = randomUUID();
    const unknown = collect(client.extensions.runEvents(id));
    await expect(unknown).rejects.toMatchObject({ status: 404 });
    const request = say('where did it go?', { agent_id: 'echo', ...atOnce });
    request.message.additional_properties = { client_message_id: id };
    const events = await collect(client.runStream(request));
    expect(await collect(service().client('finder').extensions.runEvents(id))).toEqual(events);
    const foreign = collect(service().client('another').extensions.runEvents(id));
    await expect(foreign).rejects.toMatchObject({ status: 404 });
  });

  test(`${engine}: a disconnected reader resumes the run where it was`, async () => {
    const client = service().client('dropped');
    const before: RunEvent[] = [];
    await expect(async () => {
      for await (const event of client.runStream(
        say('/drop', { agent_id: 'demo', additional_parameters: { delay_ms: 5 } }),
      ))
        before.push(event);
    }).rejects.toThrow();
    const after = await collect(
      client.extensions.runEvents(String(before[0]?.data['run_id']), {
        lastEventId: before.at(-1)?.id ?? '',
      }),
    );
    expect(after.at(-1)?.event).toBe('done');
    expect(spelled([...before, ...after])).toBe(
      'The line will break about here, and when you come back **nothing is missing** and nothing is said twice.',
    );
  });

  test(`${engine}: the same client_message_id runs once, even if it is sent several times at once`, async () => {
    const client = service().client('resender');
    const id = randomUUID();
    const request = say('only once', { agent_id: 'echo', additional_parameters: { delay_ms: 5 } });
    request.message.additional_properties = { client_message_id: id };
    const streams = await Promise.all(Array.from({ length: 6 }, () => collect(client.runStream(request))));
    for (const events of streams) expect(events).toEqual(streams[0]);
    const messages = await client.extensions.listMessages(threadOf(streams[0] ?? []));
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant']);
    const other = say('something else', { agent_id: 'echo' });
    other.message.additional_properties = { client_message_id: id };
    await expect(collect(client.runStream(other))).rejects.toMatchObject({ status: 409 });
    const stranger = await collect(service().client('stranger').runStream(request));
    expect(stranger[0]?.data['run_id']).not.toBe(streams[0]?.[0]?.data['run_id']);
  });

  for (const by of ['run id', 'client_message_id'] as const) {
    test(`${engine}: a run cancelled by its ${by} stops, keeps its partial answer and reports the cancellation`, async () => {
      const client = service().client('stopper');
      const id = randomUUID();
      const request = say('one two three four five six seven eight', {
        agent_id: 'echo',
        additional_parameters: { delay_ms: 200, chunk_length: 4 },
      });
      request.message.additional_properties = { client_message_id: id };
      const events: RunEvent[] = [];
      for await (const event of client.runStream(request)) {
        events.push(event);
        if (events.filter((one) => one.event === 'message.delta').length !== 2) continue;
        if (event.event === 'message.delta')
          await client.extensions.cancelRun(by === 'run id' ? String(event.data['run_id']) : id);
      }
      expect(events.slice(-2).map((event) => event.event)).toEqual(['run.cancelled', 'done']);
      const kept = (await client.extensions.listMessages(threadOf(events))).at(-1);
      expect(kept).toMatchObject({
        role: 'assistant',
        message_state: { partial: true, run_status: 'cancelled' },
      });
      expect(kept?.content).toMatchObject([{ text: spelled(events) }]);
    });
  }

  test(`${engine}: a cancellation that arrives before its run still stops it`, async () => {
    const client = service().client('hasty');
    const id = randomUUID();
    await expect(client.extensions.cancelRun(id)).rejects.toBeInstanceOf(HttpError);
    const request = say('never said', { agent_id: 'echo' });
    request.message.additional_properties = { client_message_id: id };
    const events = await collect(client.runStream(request));
    expect(events.map((event) => event.event)).toEqual(['run.started', 'run.cancelled', 'done']);
  });

  test(`${engine}: a run expires after its time limit`, async () => {
    const events = await collect(
      service()
        .client()
        .runStream(
          say('slow words that never end', {
            agent_id: 'echo',
            llm_params: { time_limit: 60 },
            additional_parameters: { delay_ms: 500 },
          }),
        ),
    );
    expect(events.slice(-2).map((event) => event.event)).toEqual(['run.expired', 'done']);
  });

  test(`${engine}: the agent's history contains all turns but those that an edit replaced`, async () => {
    const client = service().client('editor');
    const turn = async (text: string, more: Partial<Message> = {}, threadId?: string) => {
      const request = say(text, {
        agent_id: text === '/history' ? 'demo' : 'echo',
        ...atOnce,
        ...(threadId ? { thread_id: threadId } : {}),
      });
      Object.assign(request.message, more);
      return collect(client.runStream(request));
    };
    const first = await turn('first');
    const threadId = threadOf(first);
    const answerId = String(first.find((event) => event.event === 'message.created')?.data['message_id']);
    await turn('second, mistyped', {}, threadId);
    await turn('second, right', { parent_message_id: answerId }, threadId);
    const history = spelled(await turn('/history', {}, threadId));
    expect(history).toContain('first');
    expect(history).toContain('second, right');
    expect(history).not.toContain('mistyped');

    // The first turn follows nothing: an edit of it names the message whose place it takes.
    const [asked] = await client.extensions.listMessages(threadId);
    const afresh = await turn('/history', { parent_message_id: String(asked?.id) }, threadId);
    expect(spelled(afresh)).toContain('Nothing was said before this.');
  });

  test(`${engine}: a thread is deleted with all its data`, async () => {
    const client = service().client('leaver');
    const events = await collect(client.runStream(say('forget me', { agent_id: 'echo', ...atOnce })));
    const threadId = threadOf(events);
    await client.createNotification({ thread_id: threadId });
    await client.extensions.deleteThread(threadId);
    for (const attempt of [
      () => client.extensions.listMessages(threadId),
      () => client.extensions.listNotifications(threadId),
      () => client.extensions.deleteThread(threadId),
      () => client.postCallback(threadId, { content: 'hi' }),
      () => collect(client.extensions.runEvents(String(events[0]?.data['run_id']))),
      () => collect(client.runStream(say('hi', { thread_id: threadId }))),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
    }
  });

  test(`${engine}: a thread of huge messages is read in pieces that fit in memory`, async () => {
    const client = service().client('hoarder');
    const threadId = threadOf(await collect(client.runStream(say('m0', { agent_id: 'echo', ...atOnce }))));
    const pad = 'é'.repeat(500_000);
    for (let place = 1; place <= 18; place += 1) {
      await client.postCallback(threadId, { content: `m${place}`, pad });
      if (place > 16) await client.createNotification({ thread_id: threadId, pad });
    }
    const list = async (query: string): Promise<readonly StoredMessage[]> => {
      const token = await service().token('hoarder');
      const path = `/api/v1/hub/threads/${threadId}/messages${query}`;
      const response = await service().request('GET', path, { token });
      return ((await response.json()) as { messages: StoredMessage[] }).messages;
    };
    const newest = await list('');
    expect(newest.map(({ content }) => content)).toEqual(
      Array.from({ length: 16 }, (_none, place) => `m${place + 3}`),
    );
    const older = await list(`?before=${newest[0]?.id ?? ''}`);
    expect(older.map(({ content }) => content).slice(-2)).toEqual(['m1', 'm2']);
    expect(older).toHaveLength(4);
    expect(await client.extensions.listNotifications(threadId)).toHaveLength(2);

    const followed: unknown[] = [];
    for await (const { data } of client.extensions.threadEvents(threadId)) {
      followed.push((data['message'] as StoredMessage).content);
      if (followed.length === 18) break;
    }
    expect(followed.at(-1)).toBe('m18');
  });

  test(`${engine}: an answer that is posted after its run reaches the thread's followers`, async () => {
    const client = service().client('patient');
    const threadId = threadOf(
      await collect(client.runStream(say('/later 0.05', { agent_id: 'demo', ...atOnce }))),
    );
    for await (const event of client.extensions.threadEvents(threadId)) {
      expect(JSON.stringify(event.data)).toContain('until Sunday');
      break;
    }
  });

  test(`${engine}: a listening flow continues when the answer arrives by callback`, async () => {
    const client = service().client('filler');
    const events: RunEvent[] = [];
    for await (const event of client.runStream(say('/slot', { agent_id: 'demo' }))) {
      events.push(event);
      if (event.event !== 'flow.slot.listen') continue;
      const form_data = { vessel: 'Marigold' };
      await client.postCallback(threadOf(events), {
        role: 'user',
        content: [{ response_type: 'form_operation', form_operation: 'submit', form_data }],
      });
    }
    expect(events.at(-1)?.event).toBe('done');
    expect(spelled(events)).toContain('**vessel**: Marigold');
  });
}

function threadOf(events: readonly RunEvent[]): string {
  return String(events[0]?.data['thread_id']);
}
