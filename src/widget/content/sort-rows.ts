/** The column and direction of a sort. */
export interface Sorting {
  readonly column: number;
  readonly down: boolean;
}

export type Rows = readonly (readonly string[])[];

/**
 * Sorts rows: numbers by value, also with a currency, unit or separators; text in the locale's order. Empty cells
 * come last in both directions; the sort is stable.
 */
export function sortRows(rows: Rows, { column, down }: Sorting, locale: string): Rows {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const numeric = isNumeric(rows, column);
  const direction = down ? -1 : 1;
  return rows.toSorted((one, other) => {
    const first = one[column]?.trim() ?? '';
    const second = other[column]?.trim() ?? '';
    if (!first || !second) return Number(!first) - Number(!second);
    if (numeric) return direction * ((figure(first) ?? 0) - (figure(second) ?? 0));
    return direction * collator.compare(first, second);
  });
}

/** Whether a column contains only numbers, and at least one. */
export function isNumeric(rows: Rows, column: number): boolean {
  let figures = 0;
  for (const row of rows) {
    const cell = row[column]?.trim();
    if (!cell) continue;
    if (figure(cell) === undefined) return false;
    figures += 1;
  }
  return figures > 0;
}

/**
 * Numeric value of a cell such as `1,234.50`, `€ 86.00`, `12 %` or `3 kB`. Undefined for dates, codes and text,
 * which must not be sorted as numbers.
 */
function figure(cell: string): number | undefined {
  const found =
    /^(?:\p{Sc}|[A-Z]{3})?\s?([-+−]?)\s?(?:\p{Sc}\s?)?(\d[\d.,'’\u00a0\u202f ]*|[.,]\d+)\s?(?:\p{Sc}|%|‰|°?[A-Za-z]{1,3})?$/u.exec(
      cell,
    );
  if (!found) return undefined;
  const digits = plainDigits((found[2] ?? '').trim());
  const size = Number(digits);
  if (digits === '' || Number.isNaN(size)) return undefined;
  return found[1] === '-' || found[1] === '−' ? -size : size;
}

/**
 * Removes thousands separators. The last `.` or `,` is the decimal separator unless exactly three digits follow.
 */
function plainDigits(figures: string): string {
  const bare = figures.replace(/['’\u00a0\u202f ]/g, '');
  const marks = bare.match(/[.,]/g) ?? [];
  if (marks.length === 0) return bare;
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const mark = bare[last] ?? '';
  const same = marks.every((other) => other === mark);
  const threeBehind = bare.length - last - 1 === 3;
  const groups = same && threeBehind && (marks.length > 1 || mark === ',');
  if (groups) return bare.replaceAll(mark, '');
  if (marks.length > 1 && same) return '';
  return `${bare.slice(0, last).replace(/[.,]/g, '')}.${bare.slice(last + 1)}`;
}
