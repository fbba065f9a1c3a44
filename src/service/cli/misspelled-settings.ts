import { editDistance } from '../../client/edit-distance.ts';
import { settingRows } from '../setting-table.ts';

/** Shorter names may well be variables of other programs. */
const leastLength = 7;
const mostEdits = 2;

/** Returns a line for each variable that looks like a misspelled setting: the service does not read it. */
export function misspelledSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const settings = settingRows.map(({ variable }) => variable).filter((name) => name.length >= leastLength);
  const known = new Set(settings);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const meant = settings.find((setting) => editDistance(name, setting) <= mostEdits);
    return meant === undefined ? [] : [`${name} is not a setting and has no effect; did you mean ${meant}?`];
  });
}
