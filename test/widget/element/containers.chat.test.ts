import { expect, nextFrame } from '@open-wc/testing';
import { ChatFixture, until } from '../chat-fixture.ts';

// An element that names a container moves into it; what the page then does with either is the page's right.
describe('a chat in a container of the page', () => {
  const inBox = { 'form-type': 'custom', 'container-id': 'box' };
  let page: HTMLElement;
  let section: HTMLElement;
  let chat: ChatFixture;

  /** The part of a page, its chat in a section and the container beside that. */
  function visit(html = '<section></section><div id="box" style="height: 300px"></div>'): void {
    page = document.createElement('main');
    page.innerHTML = html;
    document.body.append(page);
    section = page.querySelector('section') ?? page;
    chat = ChatFixture.begin(inBox, undefined, section);
    section.append('after');
  }
  afterEach(() => {
    chat.remove();
    page.remove();
  });

  const isInBox = (): Promise<void> =>
    until(() => chat.host.parentElement?.id === 'box' && chat.find('.panel').checkVisibility());

  const removals: Readonly<Record<string, () => void>> = {
    'by itself': () => chat.host.remove(),
    'with all that a framework had around it': () => section.remove(),
    'as all that stands in its parent': () => section.replaceChildren(),
  };
  for (const [way, remove] of Object.entries(removals)) {
    it(`goes when a framework removes it ${way}`, async () => {
      visit();
      await isInBox();
      remove();
      await until(() => !chat.host.isConnected);
      await nextFrame();
      expect(document.querySelector('agent-chat')).to.equal(null);
    });
  }

  it('returns to it when a framework detaches and attaches it', async () => {
    visit();
    await isInBox();
    section.remove();
    await until(() => !chat.host.isConnected);
    page.prepend(section);
    await isInBox();
  });

  it('waits for it, also while it is moved, and says so', async () => {
    const told: string[] = [];
    const note = ({ message }: { readonly message: string }): unknown => told.push(message);
    document.addEventListener('agent-chat-diagnostic', note);
    visit('<section></section>');
    await until(() => told.join().includes('no element has the id "box"'));
    expect(told.join()).to.include('Waiting 10 s');
    chat.host.remove();
    await nextFrame();
    page.append(chat.host);
    await nextFrame();
    expect(chat.all('.panel')).to.have.length(0);
    section.id = 'box';
    await isInBox();
    document.removeEventListener('agent-chat-diagnostic', note);
  });

  it('finds it in its own shadow root', async () => {
    page = document.createElement('main');
    const root = page.attachShadow({ mode: 'open' });
    root.innerHTML = '<div style="height: 300px"></div>';
    document.body.append(page);
    chat = ChatFixture.begin(inBox, undefined, root);
    await nextFrame();
    root.querySelector('div')!.id = 'box';
    await isInBox();
    expect(chat.host.getRootNode()).to.equal(root);
  });
});

it('a chat in a shadow root returns to it when the dialog closes that it was moved into', async () => {
  const page = document.createElement('main');
  const root = page.attachShadow({ mode: 'open' });
  const dialog = document.createElement('dialog');
  dialog.innerHTML = '<button>Done</button>';
  document.body.append(page, dialog);
  const chat = ChatFixture.begin({}, undefined, root);
  try {
    await until(() => chat.all('.launcher').length > 0);
    dialog.showModal();
    await until(() => chat.host.parentElement === dialog);
    dialog.close();
    await until(() => chat.host.getRootNode() === root);
  } finally {
    chat.remove();
    page.remove();
    dialog.remove();
  }
});
