import { editDistance } from '../../client/edit-distance.ts';
import { isObject } from '../../protocol/json.ts';
import type { ChatHost } from '../chat-host.ts';
import { configTable } from '../config/config-table.ts';
import { hostOptionNames } from '../config/host-options.ts';
import { readOption } from '../config/read-option.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import { avatarUrl } from '../panel/avatar.ts';
import { checkOptions } from './check-options.ts';

/**
 * Reports what looks like a misspelt setting: attributes of the element and of script tags, and fields of the JSON.
 * Reports options that are no attributes, what they allow, settings without an effect, and an avatar that may not be
 * loaded.
 */
export function checkSettings(host: ChatHost): void {
  const rows = Object.values(configTable);
  const settings = rows.map(({ attribute }) => attribute);
  for (const name of host.getAttributeNames()) checkAttribute(host, name, settings);
  for (const script of document.querySelectorAll('script[src*=agent-chat]'))
    for (const name of script.getAttributeNames())
      if (name.startsWith('data-')) checkDataAttribute(host, name, settings);
  const fields = [...rows.map(({ api }) => api), ...Object.values(hostOptionNames)];
  checkFields(
    host,
    host.jsonConfig,
    fields.filter((field) => field !== undefined),
  );
  checkOptions(host);
  checkAvatar(host);
  if (host.config.containerId && host.config.formType !== 'custom')
    diagnose(host, 'invalid-attribute', 'container-id has no effect without form-type="custom".');
}

function checkAttribute(host: ChatHost, name: string, settings: readonly string[]): void {
  if (settings.includes(name) || name === 'class') return;
  const option = optionWays.get(lettersOf(name));
  if (option) return report(host, `attribute ${name}`, option);
  if (name in host) return;
  // `data-theme` or `data-open` may be the page's own; `data-agent-id` is written as on a script tag
  const setting = name.startsWith('data-')
    ? settings.find((other) => other.includes('-') && name === `data-${other}`)
    : closest(name, settings);
  report(host, `attribute ${name}`, setting);
}

function checkDataAttribute(host: ChatHost, name: string, settings: readonly string[]): void {
  const setting = name.slice('data-'.length);
  if (settings.includes(setting)) return;
  const other = closest(setting, settings);
  report(host, `attribute ${name}`, optionWays.get(lettersOf(setting)) ?? (other && `data-${other}`));
}

/** @param path the fields around `object`, such as `layout.form.` */
function checkFields(
  host: ChatHost,
  object: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  path = '',
): void {
  for (const [name, value] of Object.entries(object)) {
    const field = path + name;
    if (fields.includes(field)) continue;
    const inner = fields.filter((other) => other.startsWith(`${field}.`));
    if (inner.length === 0) report(host, `field ${field} in the JSON`, closest(name, fields));
    else if (isObject(value)) checkFields(host, value, fields, `${field}.`);
    else if (value !== null) {
      const names = new Set(inner.map((other) => other.slice(field.length + 1).replace(/\..*/, '')));
      const allowed = `an object with ${[...names].join(', ')}`;
      diagnose(
        host,
        'invalid-attribute',
        `${field} cannot be ${JSON.stringify(value)}; allowed: ${allowed}.`,
      );
    }
  }
}

function checkAvatar(host: ChatHost): void {
  const avatar = readOption(host, 'header')?.avatar;
  const images = readOption(host, 'allowedOrigins')?.images ?? [];
  if (!avatar || avatarUrl(avatar, { baseUrl: host.config.baseUrl, images })) return;
  const message = `header.avatar is not shown: ${avatar} is not from the page, the service or allowedOrigins.images.`;
  diagnose(host, 'invalid-option', message);
}

function report(host: ChatHost, what: string, setting: string | undefined): void {
  if (setting) diagnose(host, 'unknown-attribute', `There is no ${what}: use ${setting}.`);
}

/** The setting with nearly the same letters; undefined if there is none. Fields are compared without their path. */
function closest(name: string, settings: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  const changes = letters.length < 8 ? 1 : 2;
  return settings.find(
    (other) => editDistance(letters, lettersOf(other.slice(other.lastIndexOf('.') + 1))) <= changes,
  );
}

/** How to set the options that have no attribute, by the letters of their names. */
const optionWays: ReadonlyMap<string, string> = new Map(
  [...Object.entries(hostOptionNames), ['layout', 'layout'] as const].map(([name, field]) => [
    lettersOf(name),
    `the property ${name} of <agent-chat>${field ? `, or ${field} in the JSON inside it` : ''}`,
  ]),
);

/** HTML reads `accentColor`, as JSX and scripts write it, as `accentcolor`. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}
