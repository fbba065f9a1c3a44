import { expect, waitUntil } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { CalendarElement } from '../../../../src/widget/content/calendar/calendar.ts';
import { axeFaults, deep, deepAll, settled, show, type ItemHarness } from '../item-fixture.ts';

/** Shows a form with one date, opens its calendar, and returns the parts. */
async function open(
  field: Readonly<Record<string, unknown>> = {},
  data?: unknown,
): Promise<{ harness: ItemHarness; input: HTMLInputElement; calendar: ShadowRoot; button: HTMLElement }> {
  const harness = await show([
    {
      response_type: 'form',
      json_schema: {
        type: 'object',
        properties: { day: { type: 'string', format: 'date', title: 'Arrival', ...field } },
      },
      form_data: { day: data },
    },
  ]);
  await waitUntil(() => customElements.get('agent-chat-calendar'));
  const element = deep<CalendarElement>(harness, 'agent-chat-calendar');
  await element.updateComplete;
  const calendar = element.shadowRoot;
  if (!calendar) throw new TypeError('the calendar renders into a shadow root');
  const button = deep<HTMLElement>(element, 'button');
  button.click();
  await waitUntil(() => calendar.activeElement?.localName === 'td');
  return { harness, input: deep<HTMLInputElement>(harness, 'input[type=date]'), calendar, button };
}

const focused = (calendar: ShadowRoot): string => calendar.activeElement?.ariaLabel ?? '';

describe('<agent-chat-calendar>', () => {
  it('opens on the day of the field, in the top layer, and is free of faults', async () => {
    const { harness, input, calendar } = await open({}, '2026-11-24');
    const dialog = deep(calendar.host, '[role=dialog]');
    expect(dialog.matches(':popover-open')).to.equal(true);
    expect(focused(calendar)).to.equal('Tuesday, November 24, 2026');
    expect(calendar.activeElement?.ariaSelected).to.equal('true');
    expect(deep(calendar.host, 'h2').textContent).to.equal('November 2026');
    expect(deepAll(calendar.host, 'th').map(({ textContent }) => textContent)).to.deep.equal(
      'Sun Mon Tue Wed Thu Fri Sat'.split(' '),
    );
    expect(dialog.getBoundingClientRect().right).to.be.at.most(innerWidth);
    expect(input.value).to.equal('2026-11-24');
    expect(await axeFaults(harness)).to.deep.equal([]);
  });

  it('opens again after the chat was moved while it was open', async () => {
    const { harness, calendar, button } = await open();
    document.body.prepend(harness);
    await settled(harness);
    expect(button.ariaExpanded).to.equal('false');
    button.click();
    await waitUntil(() => calendar.activeElement?.localName === 'td');
    expect(deep(calendar.host, '[role=dialog]').matches(':popover-open')).to.equal(true);
  });

  it('its button and dialog are named for the field, and the button has the chosen day as its description', async () => {
    const { harness, input, calendar, button } = await open({}, '2026-11-24');
    expect(button.ariaLabel).to.equal('Arrival: Choose a date.');
    expect(deep(calendar.host, '[role=dialog]').ariaLabel).to.equal('Arrival: Choose a date.');
    expect(button.getAttribute('aria-description')).to.equal('Tuesday, November 24, 2026');
    for (const press of ['ArrowRight', 'Enter']) await sendKeys({ press });
    await settled(harness);
    expect(button.getAttribute('aria-description')).to.equal('Wednesday, November 25, 2026');
    input.focus();
    input.value = '';
    button.focus();
    await settled(harness);
    expect(button.getAttribute('aria-description')).to.equal(null);
  });

  it('centres the name of each weekday above its days', async () => {
    const { calendar } = await open({}, '2026-11-24');
    const middle = (cell: Node): number => {
      const words = new Range();
      words.selectNodeContents(cell);
      const { left, width } = words.getBoundingClientRect();
      return left + width / 2;
    };
    const days = deepAll(calendar.host, 'tbody tr:nth-child(2) td');
    for (const [column, name] of deepAll(calendar.host, 'th').entries())
      expect(middle(name), name.textContent ?? '').to.be.closeTo(middle(days[column]!), 1);
  });

  it('the names of the weekdays stay on one line in text of twice the size', async () => {
    const { harness, calendar } = await open({}, '2026-11-24');
    const lines = (): number[] => {
      const names = new Range();
      return deepAll(calendar.host, 'th').map((heading) => {
        names.selectNodeContents(heading);
        return names.getClientRects().length;
      });
    };
    harness.style.setProperty('--_size-small', '26px');
    harness.style.setProperty('--_size-tiny', '24px');
    expect(lines()).to.deep.equal([1, 1, 1, 1, 1, 1, 1]);
  });

  it('writes the chosen day into the field as if typed, and gives the focus back', async () => {
    const { harness, input, calendar, button } = await open({}, '2026-11-24');
    for (const press of ['ArrowDown', 'ArrowRight', 'PageDown']) await sendKeys({ press });
    await settled(harness);
    expect(focused(calendar)).to.equal('Saturday, January 2, 2027');
    await sendKeys({ press: 'Enter' });
    await settled(harness);
    expect(input.value).to.equal('2027-01-02');
    expect(deep(calendar.host, '[role=dialog]').matches(':popover-open')).to.equal(false);
    expect(calendar.activeElement).to.equal(button);
    expect((deep(harness, 'agent-chat-form') as HTMLElement & { data: unknown }).data).to.deep.equal({
      day: '2027-01-02',
    });
  });

  it('closes on Escape without a change, and the key goes no further', async () => {
    const { harness, input, calendar, button } = await open({}, '2026-11-24');
    let heard = 0;
    harness.addEventListener('keydown', () => (heard += 1));
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => calendar.activeElement === button);
    expect([input.value, heard]).to.deep.equal(['2026-11-24', 0]);
  });

  it('does not choose days outside the limits, and can be emptied', async () => {
    const { harness, input, calendar } = await open({ formatMinimum: '2026-11-20' }, '2026-11-24');
    const early = deep<HTMLElement>(calendar.host, 'td[aria-label^="Thursday, November 19"]');
    expect(early.ariaDisabled).to.equal('true');
    early.click();
    await settled(harness);
    expect(input.value).to.equal('2026-11-24');
    deep<HTMLElement>(calendar.host, '[aria-label^="Remove"]').click();
    await settled(harness);
    expect(input.value).to.equal('');
  });

  it('keeps the focus inside while it is open', async () => {
    const { calendar } = await open({}, '2026-11-24');
    const stops: string[] = [];
    for (let tab = 0; tab < 6; tab += 1) {
      await sendKeys({ press: 'Tab' });
      stops.push(calendar.activeElement?.ariaLabel ?? calendar.activeElement?.textContent?.trim() ?? '');
    }
    expect(stops).to.deep.equal([
      'Today',
      'Remove Tuesday, November 24, 2026',
      'Previous: October 2026',
      'Next: December 2026',
      'Tuesday, November 24, 2026',
      'Today',
    ]);
  });
});
