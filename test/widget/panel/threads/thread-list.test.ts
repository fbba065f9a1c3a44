import { expect } from '@open-wc/testing';
import { AgentChat } from '../../../../src/widget/element/agent-chat.ts';
import { AnnounceEvent } from '../../../../src/widget/events/panel-events.ts';
import { freshTurn, RunService, streamOf, until, type Answer } from '../../chat-fixture.ts';
import { deep, deepAll, textOf } from '../../content/item-fixture.ts';

const ids = ['1', '2', '3'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);
const [berths = '', tides = '', fees = ''] = ids;

interface StoredThread {
  readonly id: string;
  title: string;
  readonly text: string;
  readonly unread?: number;
}

/** A service that lists threads, and a chat whose page asks for the list. */
class Visit {
  readonly service = new RunService();
  readonly chat = new AgentChat();
  readonly asked: string[] = [];
  threads: StoredThread[] = [
    { id: berths, title: 'Free berths', text: 'Berth 4 is free.', unread: 2 },
    { id: tides, title: 'High water', text: 'At six.' },
    { id: fees, title: '', text: 'Ten a night.' },
  ];
  /** Delays the answers to DELETE. */
  deleting: Promise<void> | undefined;
  /** Replaces the answers for the list. */
  listing: Answer | undefined;

  constructor(settings: Partial<AgentChat> = {}) {
    this.service.other = (request) => this.#answer(request);
    Object.assign(this.chat, {
      agentId: 'harbour',
      token: 'none',
      storage: 'none',
      lang: 'en',
      conversations: 'on',
      ...settings,
    });
  }

  async show(): Promise<void> {
    document.body.append(this.chat);
    await this.chat.show();
    await until(() => deepAll(this.chat, 'textarea').length > 0);
    // colours are final only when the panel has come in
    await Promise.all(
      deep(this.chat, '.panel')
        .getAnimations()
        .map(({ finished }) => finished),
    );
  }

  async openList(): Promise<void> {
    await until(() => !this.isListed);
    deep<HTMLButtonElement>(this.chat, 'button.threads').focus();
    deep<HTMLButtonElement>(this.chat, 'button.threads').click();
    await until(() => this.rows.length > 0 || deepAll(this.chat, '.state').length > 0);
  }

  get isListed(): boolean {
    return deepAll(this.chat, 'agent-chat-thread-list').length > 0;
  }

  get list(): HTMLElement {
    return deep(this.chat, 'agent-chat-thread-list');
  }

  get rows(): HTMLElement[] {
    return deepAll<HTMLElement>(this.chat, 'agent-chat-thread-list').flatMap((list) => [
      ...(list.shadowRoot?.querySelectorAll<HTMLElement>('li') ?? []),
    ]);
  }

  get titles(): string[] {
    return this.rows.map((row) => row.querySelector('.title')?.textContent?.trim() ?? '');
  }

  get focused(): Element | null | undefined {
    return this.list.shadowRoot?.activeElement;
  }

  get spoken(): string {
    return deep(this.chat, 'agent-chat-panel').shadowRoot?.querySelector('[aria-live]')?.textContent ?? '';
  }

  get composer(): HTMLTextAreaElement {
    return deep<HTMLTextAreaElement>(this.chat, 'textarea');
  }

  inside<Found extends HTMLElement>(selector: string): Found {
    const found = this.list.shadowRoot?.querySelector<Found>(selector);
    if (!found) throw new Error(`nothing matches ${selector}`);
    return found;
  }

  press(key: string): void {
    this.focused?.dispatchEvent(
      new KeyboardEvent('keydown', {
        key,
        bubbles: true,
        composed: true,
        cancelable: true,
      }),
    );
  }

  write(text: string): void {
    this.composer.value = text;
    this.composer.dispatchEvent(new InputEvent('input'));
  }

  attach(name: string): void {
    const input = deep<HTMLInputElement>(this.chat, 'input[type=file]');
    const chosen = new DataTransfer();
    chosen.items.add(new File(['x'], name));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change'));
  }

  search(text: string): void {
    const field = this.inside<HTMLInputElement>('input[type=search]');
    field.value = text;
    field.dispatchEvent(new InputEvent('input'));
  }

  end(): void {
    this.chat.remove();
    this.service.stop();
  }

  #answer(request: Parameters<Answer>[0]): ReturnType<Answer> {
    const { url, method, body } = request;
    const { pathname, searchParams } = url;
    if (!/\/threads(\/|$)|\/notifications\//.test(pathname)) return undefined;
    this.asked.push(`${method} ${pathname.replace(/.*\/api\/v1/, '')}${url.search}`);
    const id = ids.find((one) => pathname.includes(one)) ?? '';
    const thread = this.threads.find((one) => one.id === id);
    if (pathname.endsWith('/threads')) {
      if (this.listing) return this.listing(request);
      const query = searchParams.get('query') ?? '';
      const found = this.threads.filter(({ title, text }) => `${title} ${text}`.includes(query));
      return Response.json({
        threads: found.map((one) => listed(one, query)),
        next: null,
      });
    }
    if (pathname.endsWith('/messages') && thread) {
      return Response.json({
        messages: [{ id: `m-${id}`, role: 'assistant', content: thread.text }],
      });
    }
    if (method === 'PATCH' && thread) {
      thread.title = (JSON.parse(body) as { title: string }).title; // as the widget sends it
      return Response.json(listed(thread, ''));
    }
    if (method === 'DELETE') {
      const { deleting } = this;
      if (deleting) return deleting.then(() => new Response(null, { status: 204 }));
      if (pathname.includes('/threads/')) this.threads = this.threads.filter((one) => one.id !== id);
      return new Response(null, { status: 204 });
    }
    return undefined;
  }
}

function listed({ id, title, text, unread = 0 }: StoredThread, query: string): Record<string, unknown> {
  const time = new Date().toISOString();
  return {
    id,
    agent_id: 'harbour',
    title,
    last_message: { role: 'assistant', text },
    unread,
    archived: false,
    created_on: time,
    updated_on: time,
    ...(query ? { match: { message_id: 'm', text, created_on: time } } : {}),
  };
}

describe('the list of conversations', () => {
  let visit: Visit;
  beforeEach(async () => {
    visit = new Visit();
    await visit.show();
  });
  afterEach(() => visit.end());

  it('shows title, last line and unread mark, and has a name', async () => {
    await visit.openList();
    expect(visit.titles).to.deep.equal(['Free berths', 'High water', 'Untitled conversation']);
    expect(textOf(visit.rows[0]!)).to.contain('Berth 4 is free.').and.to.contain('2 unread');
    expect(visit.inside('[role=dialog]').getAttribute('aria-labelledby')).to.equal('title');
    expect(visit.inside('#title').textContent).to.equal('Conversations');
    await expect(visit.list).to.be.accessible();
  });

  it('in a right-to-left chat nothing of the search field covers its icon, whatever is typed', async () => {
    visit.chat.dir = 'rtl';
    await visit.openList();
    visit.search('berths');
    const field = visit.inside('input[type=search]');
    const end = field.getBoundingClientRect().right - parseFloat(getComputedStyle(field).paddingRight);
    expect(end).to.be.below(visit.inside('.search > svg').getBoundingClientRect().left);
  });

  it('opens a conversation, keeps the unsent text of the other, and takes the unread mark away', async () => {
    await visit.openList();
    visit.rows[0]?.querySelector<HTMLElement>('.open')?.click();
    await until(() =>
      textOf(visit.chat.shadowRoot?.querySelector('agent-chat-panel') as HTMLElement).includes('Berth 4'),
    );
    expect(visit.chat.threadId ?? visit.chat.conversation?.threadId).to.equal(berths);
    expect(visit.composer.value).to.equal('');
    await until(() => visit.asked.includes(`DELETE /notifications/${berths}`));
    await until(() => visit.spoken.includes('“Free berths” is open.'));
    visit.write('which one?');
    await visit.openList();
    expect(visit.rows[0]?.querySelector('.open')?.getAttribute('aria-current')).to.equal('true');
    visit.rows[1]?.querySelector<HTMLElement>('.open')?.click();
    await until(() => visit.composer.value === '');
    await visit.openList();
    visit.rows[0]?.querySelector<HTMLElement>('.open')?.click();
    await until(() => visit.composer.value === 'which one?');
  });

  it('a message that waits stays with its conversation, and nothing else is said of it', async () => {
    const begun = freshTurn(['Fine.']).slice(0, 2);
    const inThread = begun.map((event) => ({ ...event, data: { ...event.data, thread_id: berths } }));
    visit.service.reply = () => streamOf(inThread, { staysOpen: true });
    const said: string[] = [];
    const hear = (event: Event): number => said.push((event as AnnounceEvent).text);
    document.addEventListener(AnnounceEvent.type, hear, true);
    const open = async (row: number, name: string): Promise<void> => {
      await visit.openList();
      await until(() => visit.rows[row]);
      visit.rows[row]?.querySelector<HTMLElement>('.open')?.click();
      await until(() => said.at(-1) === `“${name}” is open.`);
    };
    await open(0, 'Free berths');
    for (const text of ['Is one free?', 'And tonight?']) void visit.chat.send(text);
    await until(() => visit.chat.conversation?.messages.at(-1)?.status === 'queued');
    await open(1, 'High water');
    expect(visit.composer.value).to.equal('');
    await open(0, 'Free berths');
    expect(visit.composer.value).to.equal('And tonight?');
    document.removeEventListener(AnnounceEvent.type, hear, true);
    expect(said).to.deep.equal(
      ['Free berths', 'High water', 'Free berths'].map((name) => `“${name}” is open.`),
    );
  });

  it('text that was written on the home page moves to the conversation that is opened, once', async () => {
    const open = async (row: number, value: string): Promise<void> => {
      await visit.openList();
      visit.rows[row]?.querySelector<HTMLElement>('.open')?.click();
      await until(() => visit.composer.value === value);
    };
    visit.write('about berths');
    await open(0, 'about berths');
    await open(1, '');
    visit.chat.newThread();
    await until(() => visit.chat.conversation?.threadId === undefined);
    visit.write('and tides');
    await open(0, 'about berths\n\nand tides');
    visit.chat.newThread();
    await until(() => visit.chat.conversation?.threadId === undefined);
    await open(0, 'about berths\n\nand tides');
  });

  it('does not open in a chat that was closed while it loaded', async () => {
    deep<HTMLButtonElement>(visit.chat, 'button.threads').click();
    await visit.chat.hide();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await visit.chat.show();
    expect(visit.isListed).to.equal(false);
  });

  it('is used with the keyboard: arrows, Enter, F2, Delete and Escape', async () => {
    await visit.openList();
    await until(() => visit.focused?.matches('input[type=search]'));
    visit.press('ArrowDown');
    await until(() => visit.focused === visit.rows[0]?.querySelector('.open'));
    visit.press('ArrowDown');
    await until(() => visit.focused === visit.rows[1]?.querySelector('.open'));
    visit.press('End');
    await until(() => visit.focused === visit.rows[2]?.querySelector('.open'));
    visit.press('Home');
    await until(() => visit.focused === visit.rows[0]?.querySelector('.open'));
    visit.press('F2');
    await until(() => visit.focused?.matches('li input'));
    visit.press('Escape');
    await until(() => visit.focused === visit.rows[0]?.querySelector('.open'));
    visit.press('Delete');
    await until(() => visit.focused?.textContent?.trim() === 'Keep');
    visit.press('Escape');
    await until(() => visit.focused === visit.rows[0]?.querySelector('.open'));
    expect(visit.rows).to.have.length(3);
    visit.press('ArrowUp');
    await until(() => visit.focused?.matches('input[type=search]'));
    visit.press('Escape');
    await until(() => !visit.isListed);
    expect(visit.chat.open).to.equal(true);
    const { shadowRoot } = deep(visit.chat, 'agent-chat-header');
    await until(() => shadowRoot?.activeElement?.matches('.threads'));
  });

  it('renames in place, and gives the old name back when that fails', async () => {
    await visit.openList();
    const rename = async (title: string): Promise<void> => {
      visit.rows[1]?.querySelector<HTMLElement>('.more')?.click();
      await until(() => visit.focused?.textContent?.trim() === 'Rename');
      (visit.focused as HTMLElement).click();
      await until(() => visit.focused?.matches('li input'));
      const field = visit.focused as HTMLInputElement;
      expect(field.value).to.equal('High water');
      field.value = title;
      field.form?.requestSubmit();
    };
    await rename('  Tides  today ');
    await until(() => visit.threads[1]?.title === 'Tides today');
    expect(visit.titles[1]).to.equal('Tides today');
    await until(() => visit.spoken.includes('Renamed to “Tides today”.'));
    visit.threads[1]!.title = 'High water';
    visit.end();

    visit = new Visit();
    await visit.show();
    await visit.openList();
    visit.threads = [];
    await rename('Lost');
    await until(() => visit.spoken.includes('That did not work.'));
    expect(visit.inside<HTMLInputElement>('li input').value).to.equal('Lost');
    visit.press('Escape');
    await until(() => visit.titles[1] === 'High water');
  });

  it('deletes only after a question, and starts anew when the open conversation goes', async () => {
    await visit.chat.setThread(tides);
    await visit.openList();
    const ask = async (): Promise<void> => {
      visit.rows[1]?.querySelector<HTMLElement>('.more')?.click();
      await until(() => visit.focused?.textContent?.trim() === 'Rename');
      visit.inside<HTMLElement>('.bar .bad').click();
      await until(() => visit.focused?.textContent?.trim() === 'Keep');
    };
    await ask();
    (visit.focused as HTMLElement).click();
    await until(() => visit.list.shadowRoot?.querySelector('.bar') === null);
    expect(visit.threads).to.have.length(3);
    await ask();
    visit.inside<HTMLElement>('.bar .bad').click();
    await until(() => visit.titles.length === 2);
    expect(visit.threads.map(({ id }) => id)).to.deep.equal([berths, fees]);
    await until(() => visit.spoken.includes('“High water” is deleted.'));
    expect(visit.chat.conversation?.threadId).to.equal(undefined);
    await until(() => visit.focused === visit.rows[1]?.querySelector('.open'));
  });

  it('deletes once, however often it is pressed, and shows that it works on it', async () => {
    const said: string[] = [];
    const hear = (event: Event): number => said.push((event as AnnounceEvent).text);
    document.addEventListener(AnnounceEvent.type, hear, true);
    let letGo = (): void => undefined;
    visit.deleting = new Promise<void>((resolve) => (letGo = resolve));
    await visit.openList();
    const ask = async (row: number): Promise<void> => {
      visit.rows[row]?.querySelector<HTMLElement>('.open')?.focus();
      visit.press('Delete');
      await until(() => visit.focused?.textContent?.trim() === 'Keep');
    };
    await ask(1);
    const button = visit.inside<HTMLElement>('.bar .bad');
    button.focus();
    button.click();
    await until(() => button.ariaDisabled === 'true');
    expect(visit.inside('.bar').ariaBusy).to.equal('true');
    button.click();
    visit.press('Escape');
    visit.rows[1]?.querySelector<HTMLElement>('.bar .button')?.click();
    await ask(0); // meanwhile another one
    const other = visit.focused;
    letGo();
    await until(() => visit.titles.length === 2);
    expect(visit.asked.filter((request) => request.startsWith('DELETE'))).to.have.length(1);
    expect(said).to.deep.equal(['“High water” is deleted.']);
    expect(visit.focused).to.equal(other);
    document.removeEventListener(AnnounceEvent.type, hear, true);
  });

  it('files stay with the unsent text of their conversation, also while they are uploaded', async () => {
    const uploads: ((id: string) => void)[] = [];
    visit.chat.uploadDocument = () => new Promise((resolve) => uploads.push(resolve));
    const open = async (row: number, value: string): Promise<void> => {
      await visit.openList();
      visit.rows[row]?.querySelector<HTMLElement>('.open')?.click();
      await until(() => visit.composer.value === value);
    };
    const files = (): string[] =>
      deepAll<HTMLElement>(visit.chat, 'li[part=attachment]').map(
        (chip) => `${chip.className} ${chip.querySelector('.name')?.textContent ?? ''}`,
      );
    await open(0, '');
    await until(() => visit.chat.conversation?.threadId === berths);
    visit.write('see this');
    visit.attach('plan.txt');
    await until(() => files().join() === 'uploading plan.txt');
    await open(1, '');
    await until(() => files().length === 0);
    visit.attach('tides.txt');
    await until(() => files().join() === 'uploading tides.txt');
    uploads[0]?.('123e4567-e89b-12d3-a456-426614174000');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(files()).to.deep.equal(['uploading tides.txt']);
    await open(0, 'see this');
    await until(() => files().join() === 'done plan.txt');
    await visit.chat.newThread(); // what was not sent moves along
    await until(() => visit.chat.conversation?.threadId === undefined);
    await open(1, 'see this');
    await until(() => files().join() === 'done plan.txt,uploading tides.txt');
  });

  it('shows nothing of the former visitor once the page has set another', async () => {
    await visit.openList();
    visit.search('free');
    await until(() => visit.titles.join() === 'Free berths');
    visit.threads = [{ id: tides, title: 'High water', text: 'At six.' }];
    visit.listing = () => new Promise(() => undefined);
    visit.chat.visitor = 'bob';
    await until(() => visit.rows.length === 0);
    expect(visit.inside<HTMLInputElement>('input[type=search]').value).to.equal('');
    visit.listing = undefined;
    visit.chat.visitor = 'eve';
    await until(() => visit.titles.join() === 'High water');
  });

  it('searches while one types, marks what was found, and says how much it is', async () => {
    await visit.openList();
    visit.search('free');
    await until(() => visit.titles.join() === 'Free berths');
    expect(visit.rows[0]?.querySelector('.line mark')?.textContent).to.equal('free');
    await until(() => visit.spoken.includes('1 conversation'));
    visit.search('zeppelin');
    await until(() => visit.rows.length === 0);
    expect(textOf(visit.inside('.state'))).to.contain('Nothing found for “zeppelin”.');
    visit.inside('input[type=search]').focus();
    visit.press('Escape');
    await until(() => visit.titles.length === 3);
    expect(visit.isListed).to.equal(true);
  });

  it('shows more on demand, and moves to the first of them', async () => {
    visit.listing = ({ url }) => {
      const isFirst = !url.searchParams.has('before');
      return Response.json({
        threads: [listed(visit.threads[isFirst ? 0 : 1]!, '')],
        next: isFirst ? 'x' : null,
      });
    };
    await visit.openList();
    visit.inside<HTMLElement>('.rest button').click();
    await until(() => visit.titles.join() === 'Free berths,High water');
    await until(() => visit.focused === visit.rows[1]?.querySelector('.open'));
    expect(visit.list.shadowRoot?.querySelector('.rest')).to.equal(null);
  });

  it('says what it is when it is empty or fails, and tries again', async () => {
    visit.threads = [];
    await visit.openList();
    expect(textOf(visit.inside('.state'))).to.contain('No conversations yet.');
    visit.press('Escape');
    await until(() => !visit.isListed);
    visit.listing = () => Response.json({ detail: [] }, { status: 500 });
    await visit.openList();
    await until(() => textOf(visit.inside('.state')).includes('could not be loaded'));
    visit.listing = undefined;
    visit.threads = [{ id: fees, title: 'Fees', text: 'Ten.' }];
    visit.inside<HTMLElement>('.state button').click();
    await until(() => visit.titles.join() === 'Fees');
  });
});

describe('the button of the conversations', () => {
  let visit: Visit;
  beforeEach(async () => {
    visit = new Visit({ conversations: 'auto' });
    await visit.show();
  });
  afterEach(() => visit.end());

  it('comes once the service is known to store threads, and goes when it lists none', async () => {
    visit.listing = () => Response.json({ detail: [] }, { status: 404 });
    expect(visit.asked).to.deep.equal([]);
    expect(deepAll(visit.chat, 'button.threads')).to.have.length(0);
    await visit.chat.setThread(berths); // the service stores threads
    await until(() => deepAll(visit.chat, 'button.threads').length === 1);
    await visit.openList();
    expect(textOf(visit.inside('.state'))).to.contain('Conversations are not kept here.');
    visit.press('Escape');
    await until(() => deepAll(visit.chat, 'button.threads').length === 0);
  });
});

describe('the last conversation on the welcome page', () => {
  let visit: Visit;
  afterEach(() => visit.end());

  it('is offered when there is one, and opens', async () => {
    visit = new Visit();
    await visit.show();
    const button = (): HTMLElement | null | undefined =>
      deepAll(visit.chat, 'agent-chat-last-thread')[0]?.shadowRoot?.querySelector('button');
    await until(() => button());
    expect(textOf(button()!)).to.contain('Continue your last conversation').and.to.contain('Free berths');
    button()?.click();
    await until(() => visit.chat.conversation?.threadId === berths);
    await until(() => visit.spoken.includes('“Free berths” is open.'));
  });

  it('follows what the list changes: a new name, another last conversation', async () => {
    visit = new Visit();
    await visit.show();
    const shown = (): string =>
      deepAll(visit.chat, 'agent-chat-last-thread')[0]?.shadowRoot?.textContent ?? '';
    await until(() => shown().includes('Free berths'));
    await visit.openList();
    visit.rows[0]?.querySelector('button')?.focus();
    visit.press('F2');
    await until(() => visit.focused instanceof HTMLInputElement && visit.focused.type !== 'search');
    const field = visit.focused as HTMLInputElement; // as just waited for
    field.value = 'Berths in May';
    field.form?.requestSubmit();
    await until(() => shown().includes('Berths in May'));
    visit.rows[0]?.querySelector('button')?.focus();
    visit.press('Delete');
    await until(() => visit.rows[0]?.querySelector('.bar .bad'));
    visit.inside('.bar .bad').click();
    await until(() => shown().includes('High water'));
  });

  it('is offered in the language of the panel', async () => {
    visit = new Visit({ lang: 'de' });
    await visit.show();
    await until(() =>
      deepAll(visit.chat, 'agent-chat-last-thread')[0]?.shadowRoot?.textContent?.includes('Letzte '),
    );
  });

  it('is that of the current visitor', async () => {
    visit = new Visit({ visitor: 'ada' });
    await visit.show();
    const shown = (): string =>
      deepAll(visit.chat, 'agent-chat-last-thread')[0]?.shadowRoot?.textContent ?? '';
    await until(() => shown().includes('Free berths'));
    visit.threads = [];
    visit.chat.visitor = 'bob';
    await until(() => !shown().includes('Free berths'));
    visit.threads = [{ id: tides, title: 'High water', text: 'At six.' }];
    visit.chat.visitor = 'eve';
    await until(() => shown().includes('High water'));
  });

  it('is not there without one', async () => {
    visit = new Visit();
    visit.threads = [];
    await visit.show();
    await until(() => visit.asked.length > 0);
    await until(() => deepAll(visit.chat, 'agent-chat-last-thread').length > 0);
    const { shadowRoot } = deep(visit.chat, 'agent-chat-last-thread');
    expect(shadowRoot?.querySelector('button')).to.equal(null);
  });
});

it('the list is offered in place of a thread that is gone', async () => {
  const visit = new Visit({ conversations: 'auto', threadId: 'f0000000-0000-4000-8000-000000000000' });
  const problem = { loc: ['path', 'thread_id'], msg: 'no such thread', type: 'not_found' };
  const { other } = visit.service;
  visit.service.other = (request) =>
    request.url.pathname.includes('/f0000000-')
      ? Response.json({ detail: [problem] }, { status: 404 })
      : other(request);
  await visit.show();
  await until(() => deepAll(visit.chat, 'button.threads').length > 0);
  await visit.openList();
  expect(visit.titles).to.include('Free berths');
  visit.end();
});
