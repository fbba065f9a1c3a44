import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { createAgentClient, type AgentClient, type ThreadListOptions } from '../../src/client/index.ts';
import { atOnce, collect, say, type RunningService } from '../service/running-service.ts';

/** The list of threads and its search, whatever the service stores them in. */
export function threadListSuite(engine: string, service: () => RunningService): void {
  const server = (): AgentClient =>
    createAgentClient({ baseUrl: service().address, tokenProvider: () => service().serverKey });
  /** A visitor of their own for each test. */
  const visitor = (): { subject: string; client: AgentClient } => {
    const subject = `lister-${randomUUID()}`;
    return { subject, client: service().client(subject) };
  };
  const start = async (client: AgentClient, text: string): Promise<string> => {
    const events = await collect(client.runStream(say(text, { agent_id: 'echo', ...atOnce })));
    return String(events.find(({ data }) => typeof data['thread_id'] === 'string')?.data['thread_id']);
  };
  const titles = async (client: AgentClient, options?: ThreadListOptions): Promise<string[]> =>
    (await client.extensions.listThreads(options)).threads.map(({ title }) => title);

  test(`${engine}: threads are listed with their title, last line and unread mark, the newest first`, async () => {
    const { client } = visitor();
    expect(await client.extensions.listThreads()).toEqual({ threads: [], next: null });
    const first = await start(client, '# Berths\n\nWhich **berths** are free?');
    const second = await start(client, 'Opening hours');
    await client.createNotification({ thread_id: first });
    const { threads, next } = await client.extensions.listThreads();
    expect(next).toBeNull();
    expect(threads).toMatchObject([
      {
        id: second,
        agent_id: 'echo',
        title: 'Opening hours',
        last_message: { role: 'assistant', text: 'Opening hours' },
        unread: 0,
        archived: false,
      },
      { id: first, title: 'Berths Which berths are free?', unread: 1 },
    ]);
    await server().postCallback(first, { content: 'The harbour master says *yes*.' });
    const [newest] = (await client.extensions.listThreads()).threads;
    expect(newest).toMatchObject({ id: first, last_message: { text: 'The harbour master says yes.' } });
    expect(newest?.updated_on && newest.updated_on > newest.created_on).toBe(true);
  });

  test(`${engine}: threads come in pages, also while one of them goes`, async () => {
    const { client } = visitor();
    for (const text of ['one', 'two', 'three', 'four', 'five']) await start(client, text);
    const first = await client.extensions.listThreads({ limit: 2 });
    expect(first.threads.map(({ title }) => title)).toEqual(['five', 'four']);
    await client.extensions.deleteThread(String(first.threads[1]?.id));
    const second = await client.extensions.listThreads({ limit: 2, before: first.next ?? '' });
    expect(second.threads.map(({ title }) => title)).toEqual(['three', 'two']);
    const third = await client.extensions.listThreads({ limit: 2, before: second.next ?? '' });
    expect(third.threads.map(({ title }) => title)).toEqual(['one']);
    expect(third.next).toBeNull();
  });

  test(`${engine}: another visitor's threads are neither listed, found nor changed`, async () => {
    const { subject, client } = visitor();
    const threadId = await start(client, 'my private zeppelin');
    const others = [visitor().client, service().client(subject, { tenantId: 'another' })];
    for (const other of others) {
      await start(other, 'something else');
      expect(await titles(other)).toEqual(['something else']);
      expect(await titles(other, { query: 'zeppelin' })).toEqual([]);
      await expect(other.extensions.changeThread(threadId, { title: 'stolen' })).rejects.toMatchObject({
        status: 404,
      });
    }
    expect(await titles(client)).toEqual(['my private zeppelin']);
    const ofTenant = await server().extensions.listThreads({ query: 'zeppelin' });
    expect(ofTenant.threads.map(({ id }) => id)).toContain(threadId);
  });

  test(`${engine}: a thread is found by words and beginnings of words, in several languages`, async () => {
    const { client } = visitor();
    await start(client, 'Où est le café près de l’Île Sainte-Élisabeth ?');
    await start(client, 'Die Straße nach Würzburg');
    await start(client, '東京都の天気はどうですか');
    await start(client, '서울 회의는 언제 있습니까');
    await start(client, 'ราคาตั๋วรถไฟเท่าไหร่');
    await start(client, 'كم سعر التذكرة إلى القاهرة؟');
    await start(client, 'ΚΑΛΗΜΕΡΑ ΚΟΣΜΟΣ');
    const finds: readonly (readonly [query: string, title: string | undefined])[] = [
      ['cafe', 'Où est le café près de l’Île Sainte-Élisabeth ?'],
      ['CAFÉ elisa', 'Où est le café près de l’Île Sainte-Élisabeth ?'],
      ['strasse', 'Die Straße nach Würzburg'],
      ['wurz stra', 'Die Straße nach Würzburg'],
      ['京都', '東京都の天気はどうですか'],
      ['天', '東京都の天気はどうですか'],
      ['天都', undefined],
      ['회의', '서울 회의는 언제 있습니까'],
      ['รถไฟ', 'ราคาตั๋วรถไฟเท่าไหร่'],
      ['القاهره', 'كم سعر التذكرة إلى القاهرة؟'],
      ['التذكرة', 'كم سعر التذكرة إلى القاهرة؟'],
      ['الى', 'كم سعر التذكرة إلى القاهرة؟'],
      ['κοσμος', 'ΚΑΛΗΜΕΡΑ ΚΟΣΜΟΣ'],
      ['cafe würzburg', undefined],
      ['"café" AND (x OR *', undefined],
      ["it's & | ! <-> :*", undefined],
      ['!!!', undefined],
    ];
    for (const [query, title] of finds) {
      expect([query, await titles(client, { query })]).toEqual([query, title === undefined ? [] : [title]]);
    }
    expect(await titles(client, { query: '  ' })).toHaveLength(7);
  });

  test(`${engine}: a search shows each thread once, at its newest match, in pages`, async () => {
    const { client } = visitor();
    const ids: string[] = [];
    for (const name of ['anchor one', 'anchor two', 'anchor three']) ids.push(await start(client, name));
    await start(client, 'buoy');
    const filler = 'word '.repeat(60);
    await collect(
      client.runStream(
        say(`${filler} the last anchor of all ${filler}`, {
          thread_id: String(ids[0]),
          ...atOnce,
          agent_id: 'echo',
        }),
      ),
    );
    const first = await client.extensions.listThreads({ query: 'anch', limit: 2 });
    expect(first.threads.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    const match = first.threads[0]?.match;
    expect(match?.text).toMatch(/^…(word )+the last anchor of all word/);
    expect(match?.message_id).toBeTruthy();
    const second = await client.extensions.listThreads({ query: 'anch', limit: 2, before: first.next ?? '' });
    expect(second.threads.map(({ id }) => id)).toEqual([ids[1]]);
    expect(second.next).toBeNull();
  });

  test(`${engine}: a thread is renamed, archived and restored`, async () => {
    const { client } = visitor();
    const id = await start(client, 'about the quay');
    const renamed = await client.extensions.changeThread(id, { title: '  Regatta\n *2027* ' });
    expect(renamed).toMatchObject({ id, title: 'Regatta *2027*', archived: false });
    const [found] = (await client.extensions.listThreads({ query: 'regat' })).threads;
    expect(found).toMatchObject({ id, match: { message_id: null, text: 'Regatta *2027*' } });
    expect(await titles(client, { query: 'quay' })).toEqual(['Regatta *2027*']);
    await client.extensions.changeThread(id, { title: '' });
    expect(await titles(client)).toEqual(['about the quay']);
    expect(await titles(client, { query: 'regatta' })).toEqual([]);
    expect(await client.extensions.changeThread(id, { archived: true })).toMatchObject({ archived: true });
    expect(await titles(client)).toEqual([]);
    expect(await titles(client, { query: 'quay' })).toEqual([]);
    expect(await titles(client, { archived: true, query: 'quay' })).toEqual(['about the quay']);
    await client.extensions.changeThread(id, { archived: false });
    expect(await titles(client)).toEqual(['about the quay']);
    expect(await titles(client, { agentId: 'demo' })).toEqual([]);
    expect(await titles(client, { agentId: 'echo' })).toEqual(['about the quay']);
  });

  test(`${engine}: an agent's title is used until somebody gives another`, async () => {
    const { client } = visitor();
    const id = await start(client, 'first words');
    await server().postCallback(id, {
      content: 'ok',
      additional_properties: { thread_title: 'Mooring fees' },
    });
    expect(await titles(client, { query: 'mooring' })).toEqual(['Mooring fees']);
    await client.postCallback(id, { content: 'ok', additional_properties: { thread_title: 'forged' } });
    expect(await titles(client)).toEqual(['Mooring fees']);
    await client.extensions.changeThread(id, { title: 'My own' });
    await server().postCallback(id, {
      content: 'ok',
      additional_properties: { thread_title: 'Fees, again' },
    });
    expect(await titles(client)).toEqual(['My own']);
    expect(await titles(client, { query: 'fees' })).toEqual([]);
    await client.extensions.changeThread(id, { title: '' });
    expect(await titles(client, { query: 'again' })).toEqual(['Fees, again']);
  });

  test(`${engine}: messages that nobody sees are no title, last line or match`, async () => {
    const { client } = visitor();
    const id = await start(client, 'shown');
    const hidden = { display_properties: { skip_render: true } };
    await server().postCallback(id, { content: 'secret handshake', additional_properties: hidden });
    const [thread] = (await client.extensions.listThreads()).threads;
    expect(thread?.last_message?.text).toBe('shown');
    expect(await titles(client, { query: 'handshake' })).toEqual([]);
  });

  test(`${engine}: requests for threads that make no sense are refused in the shape of errors`, async () => {
    const token = await service().token('asker');
    const refusals: readonly (readonly [method: string, path: string, body: unknown, place: string])[] = [
      ['GET', `?query=${'x'.repeat(201)}`, undefined, 'query.query'],
      ['GET', '?query=a&query=b', undefined, 'query.query'],
      ['GET', '?limit=0', undefined, 'query.limit'],
      ['GET', '?limit=x', undefined, 'query.limit'],
      ['GET', '?before=x', undefined, 'query.before'],
      ['GET', `?query=a&before=t1.${randomUUID()}`, undefined, 'query.before'],
      ['GET', '?archived=maybe', undefined, 'query.archived'],
      ['PATCH', '/not-a-uuid', {}, 'path.thread_id'],
      ['PATCH', `/${randomUUID()}`, { title: 'x'.repeat(201) }, 'body.title'],
      ['PATCH', `/${randomUUID()}`, { archived: 'yes' }, 'body.archived'],
      ['PATCH', `/${randomUUID()}`, { titel: 'Regatta' }, 'body'],
    ];
    for (const [method, path, body, place] of refusals) {
      const response = await service().request(method, `/api/v1/hub/threads${path}`, {
        token,
        ...(body === undefined ? {} : { body }),
      });
      expect([path, response.status]).toEqual([path, 422]);
      const { detail } = (await response.json()) as { detail: { loc: string[] }[] };
      expect(detail[0]?.loc.join('.')).toBe(place);
    }
  });
}
