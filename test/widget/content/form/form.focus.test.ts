import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import {
  ChatFixture,
  focusedElement,
  freshItems,
  RunService,
  streamOf,
  until,
  visibleRatio,
} from '../../chat-fixture.ts';
import type { AnnounceEvent } from '../../../../src/widget/events/panel-events.ts';
import { emulateWindow, endEmulation } from '../../emulation.ts';
import { formItem } from '../../../tools/rich-answer.ts';

const names = 'Boat Owner Harbour Flag Berth Lock Pilot Crew Cargo Port Agent Line'.split(' ');

/** A form longer than the window, with `ui:autofocus`. */
function longForm(wished: string): Record<string, unknown> {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { ...formItem({ properties }), ui_schema: { [wished]: { 'ui:autofocus': true } } };
}

/** Resolves when everything that waits for frames has had them. */
async function settle(): Promise<void> {
  for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
}

describe('focus in a form', function () {
  this.timeout(20_000);
  let service: RunService;
  let chat: ChatFixture;
  let item: Record<string, unknown>;
  let answerItems: Record<string, unknown>[];
  /** Sends the answer; with `endOfRun`, the run ends only when that is resolved. */
  let answer: (endOfRun?: Promise<void>) => void;
  beforeEach(() => emulateWindow(390, 560));
  afterEach(async () => {
    chat.remove();
    service.stop();
    await endEmulation();
  });

  async function ask(form: Record<string, unknown>, lang = 'en'): Promise<void> {
    item = form;
    let release = (_response: Response): void => undefined;
    service = new RunService(() => {
      const released = new TransformStream<Uint8Array, Uint8Array>();
      release = (response) => void response.body?.pipeTo(released.writable);
      return new Response(released.readable, { headers: { 'content-type': 'text/event-stream' } });
    });
    answerItems = [item];
    answer = (endOfRun) => release(streamOf(freshItems(answerItems), { endOfRun }));
    chat = ChatFixture.begin({ lang });
    await chat.open();
    chat.composer.focus();
    chat.say('A form, please');
    await until(() => service.posted.length === 1);
  }

  const hasFocus = (find: () => Element | undefined): Promise<void> =>
    until(() => focusedElement() === find());

  it('a form with autofocus does not take focus from a visitor who is typing', async () => {
    await ask(longForm('Boat'));
    await sendKeys({ type: 'and one more ' });
    answer();
    await until(() => chat.field('Boat'));
    await settle();
    await sendKeys({ type: 'thing' });
    expect(focusedElement()).to.equal(chat.composer);
    expect(chat.composer.value).to.equal('and one more thing');
    expect(chat.field('Boat').value).to.equal('');
  });

  for (const wished of ['Boat', 'Line']) {
    it(`autofocus works while the visitor is not typing, and ${wished} is in view`, async () => {
      await ask(longForm(wished));
      answer();
      await hasFocus(() => chat.field(wished));
      await settle();
      await until(async () => (await visibleRatio(chat.field(wished))) > 0.99);
      const seen = chat.find('.scroller').getBoundingClientRect();
      const box = chat.field(wished).getBoundingClientRect();
      expect(box.top).to.be.at.least(seen.top);
      expect(box.bottom).to.be.at.most(seen.bottom);
    });
  }

  it('autofocus leaves a long answer before the form at its beginning', async () => {
    await ask(longForm('Boat'));
    const text = 'The tide turns at noon, and until then every berth can be reached. '.repeat(60);
    answerItems = [{ response_type: 'text', text }, item];
    answer();
    await until(() => chat.all('agent-chat-form').length === 1 && chat.buttons('New below').length === 1);
    await settle();
    const top = chat.find('agent-chat-visitor-message').getBoundingClientRect().top;
    expect(top - chat.find('.scroller').getBoundingClientRect().top).to.be.within(0, 40);
    expect(focusedElement()).to.equal(chat.composer);
  });

  it('autofocus works although the first form waits for the strings of its language', async () => {
    await ask(longForm('Boat'), 'de');
    const begins: EventTarget[] = [];
    const scroller = chat.find('.scroller');
    scroller.addEventListener('agent-chat-form-open', (event) => begins.push(event.composedPath()[0]!));
    answer();
    await hasFocus(() => chat.field('Boat'));
    expect(begins).to.deep.equal(chat.all('agent-chat-form'));
  });

  it('the error of a field that has the focus already is announced', async () => {
    const text = { type: 'string' };
    const form = formItem({ required: ['Boat', 'Crew'], properties: { Boat: text, Crew: text } });
    await ask({ ...form, ui_schema: { Boat: { 'ui:autofocus': true } } });
    answer();
    await hasFocus(() => chat.field('Boat'));
    const heard: string[] = [];
    const onAnnounce = (event: Event): void => void heard.push((event as AnnounceEvent).text);
    chat.host.addEventListener('agent-chat-announce', onAnnounce, { capture: true });
    await sendKeys({ press: 'Enter' });
    await until(() => heard.length === 1);
    chat.button('Submit').focus();
    await sendKeys({ press: 'Enter' });
    await until(() => heard.length === 2);
    expect(heard).to.deep.equal([
      'Please correct 2 answers. Please fill this in.',
      'Please correct 2 answers.',
    ]);
    expect(focusedElement()).to.equal(chat.field('Boat'));
  });

  it('autofocus waits until the form can be answered', async () => {
    await ask(longForm('Boat'));
    let endRun = (): void => undefined;
    answer(new Promise((resolve) => (endRun = resolve)));
    await until(() => chat.field('Boat'));
    await settle();
    expect(focusedElement()).to.equal(chat.composer);
    endRun();
    await hasFocus(() => chat.field('Boat'));
  });

  it('a form that takes focus scrolls into view at once, without flashing its end', async () => {
    await ask(longForm('Boat'));
    const scroller = chat.find('.scroller');
    answer();
    const seen = new Set<string>();
    let after = 0;
    // what stands at the beginning of a frame is what the one before has painted
    while (after < 6) {
      await new Promise(requestAnimationFrame);
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      if (scrollHeight <= 2 * clientHeight) continue;
      seen.add(scrollTop + clientHeight > scrollHeight - 24 ? 'end' : 'beginning');
      after += 1;
    }
    expect([...seen]).to.deep.equal(['beginning']);
    await hasFocus(() => chat.field('Boat'));
  });

  it('Escape closes an open list first, and then the chat', async () => {
    const items = { type: 'string', enum: ['Water', 'Power', 'Fuel'] };
    await ask({
      ...formItem({ properties: { needs: { type: 'array', title: 'Needs', uniqueItems: true, items } } }),
      ui_schema: { needs: { 'ui:widget': 'MultiselectDropdown' } },
    });
    answer();
    await chat.shows('agent-chat-form summary');
    const list = chat.find('agent-chat-form summary');
    list.click();
    await until(() => chat.field('Power').checkVisibility());
    chat.field('Power').click();
    chat.field('Power').focus();
    await sendKeys({ press: 'Escape' });
    await until(() => !chat.field('Power').checkVisibility());
    await hasFocus(() => list);
    const isVisible = (): boolean => chat.find('.panel').checkVisibility({ visibilityProperty: true });
    expect(isVisible()).to.equal(true);
    await sendKeys({ press: 'Escape' });
    await until(() => !isVisible());
  });

  async function askForCrew(): Promise<void> {
    const crew = { type: 'array', title: 'Crew', items: { type: 'string' } };
    await ask({ ...formItem({ properties: { crew } }), form_data: { crew: ['Ada', 'Bo', 'Cy'] } });
    answer();
    await chat.shows('agent-chat-form ol input', 3);
  }

  it('after removing a list entry, focus moves to its neighbour, or to Add', async () => {
    await askForCrew();
    const remove = (): HTMLElement[] => chat.buttons(/^Remove /);
    remove()[2]?.focus();
    for (const left of [2, 1]) {
      await sendKeys({ press: 'Enter' });
      await until(() => remove().length === left);
      await hasFocus(() => remove()[left - 1]);
    }
    await sendKeys({ press: 'Enter' });
    await until(() => remove().length === 0);
    await hasFocus(() => chat.button('Add to Crew'));
  });

  it('focus follows an entry that is moved, and reverses at the end of the list', async () => {
    await askForCrew();
    const order = (): string =>
      chat
        .all<HTMLInputElement>('agent-chat-form ol input')
        .map(({ value }) => value)
        .join();
    chat.button('Move Crew 1 down').focus();
    await sendKeys({ press: 'Enter' });
    await until(() => order() === 'Bo,Ada,Cy');
    await hasFocus(() => chat.button('Move Crew 2 down'));
    await sendKeys({ press: 'Enter' });
    await until(() => order() === 'Bo,Cy,Ada');
    await hasFocus(() => chat.button('Move Crew 3 up'));
  });

  it('focus stays in a form when parts are added, removed or created', async () => {
    const labels = { type: 'object', title: 'Labels', additionalProperties: { type: 'string' } };
    const node = {
      type: 'object',
      title: 'Part',
      properties: { note: { type: 'string', title: 'Note' }, part: { $ref: '#/$defs/node' } },
    };
    await ask({
      ...formItem({ properties: { labels, part: { $ref: '#/$defs/node' } }, $defs: { node } }),
      form_data: { labels: { one: '1', two: '2' } },
    });
    answer();
    await chat.answered(1);
    const fields = (label: string): HTMLInputElement[] =>
      chat
        .all<HTMLInputElement>('agent-chat-form input')
        .filter((field) => (field.ariaLabel ?? field.labels?.[0]?.textContent.trim()) === label);
    const press = async (name: string): Promise<void> => {
      await until(() => chat.button(name));
      chat.button(name).focus();
      await sendKeys({ press: 'Enter' });
    };
    await press('Add to Labels');
    await hasFocus(() => fields('Name')[2]);
    await sendKeys({ type: 'three' });
    expect(fields('Name')[2]?.value).to.equal('three');
    await sendKeys({ press: 'Tab' });
    await hasFocus(() => fields('three')[0]);
    await press('Remove two');
    await hasFocus(() => chat.button('Remove three'));
    await sendKeys({ press: 'Enter' });
    await hasFocus(() => chat.button('Remove one'));
    await sendKeys({ press: 'Enter' });
    await hasFocus(() => chat.button('Add to Labels'));
    await press('Add to Part');
    await hasFocus(() => fields('Note')[1]);
  });
});
