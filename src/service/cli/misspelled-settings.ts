import { settingRows } from '../setting-rows.ts';

/** Shorter names may well be variables of other programs. */
const leastLength = 7;
const mostEdits = 2;

/** Returns a line for each variable that looks like a misspelled setting: the service does not read it. */
export function misspelledSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const settings = settingRows.map(({ variable }) => variable).filter((name) => name.length >= leastLength);
  const known = new Set(settings);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const meant = settings.find((setting) => editsBetween(name, setting) <= mostEdits);
    return meant === undefined ? [] : [`${name} is not a setting and has no effect; did you mean ${meant}?`];
  });
}

/** Counts the letters to add, remove or replace (Levenshtein). */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > mostEdits) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const letter of one) {
    let before = row[0] ?? 0;
    const next = [before + 1];
    for (const [place, wanted] of Array.from(other).entries()) {
      const above = row[place + 1] ?? 0;
      next.push(Math.min(above + 1, (next[place] ?? 0) + 1, before + (letter === wanted ? 0 : 1)));
      before = above;
    }
    row = next;
  }
  return row[other.length] ?? Infinity;
}
