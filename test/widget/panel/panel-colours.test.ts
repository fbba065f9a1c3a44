import { expect } from '@open-wc/testing';
import { converter, formatHex, parse } from 'culori';
import type { PanelElement } from '../../../src/widget/panel/panel.ts';
import { deriveTheme, type Theme } from '../../../src/widget/theme/derive-theme.ts';
import { ChatFixture, RunService, until } from '../chat-fixture.ts';
import { emulateMedia, endEmulation } from '../emulation.ts';

const toRgb = converter('rgb');
const hex = (colour: string) => formatHex(toRgb(parse(colour))) ?? colour;

describe('the panel’s colours', () => {
  let service: RunService;
  let chat: ChatFixture;
  const page = new CSSStyleSheet();
  beforeEach(() => {
    document.adoptedStyleSheets.push(page);
    service = new RunService();
    chat = ChatFixture.begin({ storage: 'none', theme: 'light' });
  });
  afterEach(async () => {
    chat.remove();
    service.stop();
    page.replaceSync('');
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== page);
    await endEmulation();
  });

  const panel = () => chat.find('agent-chat-panel') as PanelElement;
  const shown = (selector: string, property: 'backgroundColor' | 'color' = 'backgroundColor') =>
    hex(getComputedStyle(chat.find(selector))[property]);
  /** The colours that the panel shows are computed ones of this theme. */
  const shows = (theme: Theme) =>
    Object.entries(theme).every(([name, colour]) => panel().style.getPropertyValue(name) === colour);
  const isComputed = () => panel().style.getPropertyValue('--_surface') !== '';

  it('come from its style sheet, and follow the settings at once', async () => {
    await chat.open();
    expect(isComputed()).to.equal(false);
    expect(shown('agent-chat-header')).to.equal('#1f3a5f');
    chat.host.setAttribute('primary-color', '#8a1538');
    await chat.host.updateComplete;
    await panel().updateComplete;
    expect(shown('agent-chat-header')).to.equal('#8a1538');
    expect(shown('.panel')).to.equal('#ffffff');
    chat.host.setAttribute('theme', 'dark');
    await chat.host.updateComplete;
    expect(shown('.panel')).to.equal('#14171c');
    expect(shown('agent-chat-header')).to.equal('#750028');
  });

  it('follow the visitor’s system, and are the light ones in print', async () => {
    chat.host.setAttribute('theme', 'auto');
    await chat.open();
    await emulateMedia({ 'prefers-color-scheme': 'dark' });
    expect(shown('.panel')).to.equal('#14171c');
    expect(hex(getComputedStyle(panel()).getPropertyValue('--_second'))).to.equal('#1e3551');
    await emulateMedia({ 'prefers-color-scheme': 'dark' }, 'print');
    expect(shown('.panel')).to.equal('#ffffff');
    expect(hex(getComputedStyle(panel()).getPropertyValue('--_second'))).to.equal('#dbe7f6');
    await emulateMedia({ 'prefers-color-scheme': 'light' });
    expect(shown('.panel')).to.equal('#ffffff');
  });

  it('are light in print with the dark theme', async () => {
    chat.host.setAttribute('theme', 'dark');
    await chat.open();
    expect(shown('.panel')).to.equal('#14171c');
    await emulateMedia({}, 'print');
    expect(shown('.panel')).to.equal('#ffffff');
    expect(shown('.panel', 'color')).to.equal('#16191d');
  });

  it('are computed before the first paint on a surface of the page’s own', async () => {
    page.replaceSync(
      'agent-chat { --agent-chat-surface-light: #334455; --agent-chat-surface-dark: #101418 }',
    );
    await chat.open();
    expect(shows(deriveTheme({ scheme: 'light', surface: '#334455' }))).to.equal(true);
    expect(shown('.panel')).to.equal('#334455');
    chat.host.setAttribute('theme', 'dark');
    await chat.host.updateComplete;
    await panel().updateComplete;
    expect(shows(deriveTheme({ scheme: 'dark', surface: '#101418' }))).to.equal(true);
    await emulateMedia({}, 'print');
    await until(() => shown('.panel') === '#334455');
  });

  it('are computed for a visitor who prefers more contrast, while that is so', async () => {
    await chat.open();
    expect(isComputed()).to.equal(false);
    await emulateMedia({ 'prefers-contrast': 'more' });
    await until(isComputed);
    expect(shows(deriveTheme({ scheme: 'light', contrast: 'more' }))).to.equal(true);
    await emulateMedia({});
    await until(() => !isComputed());
    expect(shown('.panel')).to.equal('#ffffff');
    expect(shown('agent-chat-header')).to.equal('#1f3a5f');
  });
});
