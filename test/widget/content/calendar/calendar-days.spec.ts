import { expect, test } from '@playwright/test';
import {
  addMonths,
  dayByKey,
  dayOf,
  firstDayOfWeek,
  isoOf,
  weeksOf,
} from '../../../../src/widget/content/calendar/calendar-days.ts';

const day = (iso: string): Date => dayOf(iso) ?? new Date(NaN);

test('only days that exist are read', () => {
  expect(isoOf(day('2024-02-29'))).toBe('2024-02-29');
  for (const iso of ['2023-02-29', '2026-13-01', '2026-1-1', '', 'soon']) expect(dayOf(iso)).toBeUndefined();
});

test('weeks begin as the language has it', () => {
  expect(['en', 'de', 'he', 'ar', 'pt-BR', 'fr'].map(firstDayOfWeek)).toEqual([0, 1, 0, 6, 0, 1]);
});

test('a month has its days, in whole weeks', () => {
  const weeks = weeksOf(day('2026-11-24'), 1);
  expect(weeks.map((week) => week.map((one) => one?.getUTCDate() ?? 0))).toEqual([
    [0, 0, 0, 0, 0, 0, 1],
    [2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12, 13, 14, 15],
    [16, 17, 18, 19, 20, 21, 22],
    [23, 24, 25, 26, 27, 28, 29],
    [30, 0, 0, 0, 0, 0, 0],
  ]);
  for (let month = 0; month < 48; month += 1) {
    const some = weeksOf(addMonths(day('2023-01-31'), month), month % 7);
    expect(some.every((week) => week.length === 7)).toBe(true);
    expect(some[1]?.every(Boolean)).toBe(true);
  }
  expect(weeksOf(day('2026-02-01'), 0)).toHaveLength(4);
});

test('months end where they end', () => {
  expect(isoOf(addMonths(day('2024-01-31'), 1))).toBe('2024-02-29');
  expect(isoOf(addMonths(day('2024-02-29'), 12))).toBe('2025-02-28');
  expect(isoOf(addMonths(day('2026-01-15'), -1))).toBe('2025-12-15');
});

test('keys move by days, weeks, months and years, mirrored from right to left', () => {
  const moved = (name: string, { shift = false, rtl = false } = {}): string | undefined => {
    const next = dayByKey(day('2026-11-24'), { name, shift, rtl, firstDay: 1 });
    return next && isoOf(next);
  };
  expect(moved('ArrowRight')).toBe('2026-11-25');
  expect(moved('ArrowRight', { rtl: true })).toBe('2026-11-23');
  expect(moved('ArrowUp')).toBe('2026-11-17');
  expect([moved('Home'), moved('End')]).toEqual(['2026-11-23', '2026-11-29']);
  expect(moved('PageDown')).toBe('2026-12-24');
  expect(moved('PageUp', { shift: true })).toBe('2025-11-24');
  expect(moved('a')).toBeUndefined();
});
