import { expect } from '@open-wc/testing';
import { formatHex } from 'culori';
import '../../../src/widget/define.ts';
import { agentChatStyles } from '../../../src/widget/element/agent-chat.styles.ts';
import { launcherColours } from '../../../src/widget/theme/launcher-colours.ts';
import { isLauncherVisible, sampleAccents } from '../../tools/launcher-contrast.ts';

const tokens = ['--_accent', '--_on-accent', '--_accent-edge'] as const;
type Colours = Record<(typeof tokens)[number], string>;

/** The launcher's layer with an element of each colour in it. */
function specimen(): { read(accent: string, scheme: string): Colours; remove(): void } {
  const host = document.body.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'open' });
  if (agentChatStyles.styleSheet) root.adoptedStyleSheets = [agentChatStyles.styleSheet];
  const layer = root.appendChild(document.createElement('div'));
  layer.className = 'layer';
  const probes = tokens.map((token) => {
    const probe = layer.appendChild(document.createElement('i'));
    probe.style.color = `var(${token})`;
    return [token, getComputedStyle(probe)] as const;
  });
  return {
    read(accent, scheme) {
      layer.style.setProperty('--_host-accent', accent);
      layer.style.colorScheme = scheme;
      return Object.fromEntries(
        probes.map(([token, { color }]) => [token, formatHex(color) ?? color]),
      ) as Colours; // has a value for each token
    },
    remove: () => host.remove(),
  };
}

async function launcherOf(accent: string, theme: 'light' | 'dark'): Promise<CSSStyleDeclaration> {
  const chat = document.createElement('agent-chat');
  Object.assign(chat, { agentId: 'a', token: 't', accentColor: accent, theme });
  document.body.append(chat);
  await chat.updateComplete;
  const launcher = chat.shadowRoot?.querySelector('.launcher');
  if (!launcher) throw new Error('No launcher.');
  return getComputedStyle(launcher);
}

describe('the launcher’s colours', () => {
  afterEach(() => document.querySelectorAll('agent-chat').forEach((chat) => chat.remove()));

  it('make the icon readable on any accent, and the edge visible on light and dark pages', () => {
    const { read, remove } = specimen();
    const faults: string[] = [];
    // the node test reads all of them
    for (const accent of [
      ...sampleAccents.filter((_, at) => at % 5 === 0),
      '#fff0',
      '#0b62d622',
      'oklch(0.7 0.3 150)',
      'currentcolor',
    ]) {
      for (const scheme of ['light', 'dark'] as const) {
        const colours = read(accent, scheme);
        if (!isLauncherVisible(colours, scheme))
          faults.push(`${accent} ${scheme} ${JSON.stringify(colours)}`);
      }
    }
    remove();
    expect(faults).to.deep.equal([]);
  });

  it('keep the brand’s accent in both schemes, in engines that cannot compute colours in CSS', () => {
    const { read, remove } = specimen();
    for (const accent of ['#8a1538', '#f0b429', '#0b62d622', '#fff0', 'teal', '#ff0000', '#1877f2']) {
      for (const scheme of ['light', 'dark'] as const) {
        const { '--_accent': fill, '--_on-accent': ink } = launcherColours(accent, scheme);
        expect(read(accent, scheme), accent).to.include({ '--_accent': fill, '--_on-accent': ink });
      }
    }
    remove();
  });

  it('apply to the launcher itself, and its edge follows the theme', async () => {
    const light = await launcherOf('#14171c', 'light');
    expect(formatHex(light.backgroundColor)).to.equal('#14171c');
    const dark = await launcherOf('#14171c', 'dark');
    expect(formatHex(dark.backgroundColor)).to.equal('#14171c');
    expect(dark.boxShadow).not.to.equal(light.boxShadow);
  });
});
