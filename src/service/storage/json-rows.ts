import { sql, type RawBuilder } from 'kysely';
import type { EngineName } from './database.ts';

/**
 * Formats rows of values as a table `j` with one parameter, so a statement has the same text for any number of rows.
 * Its columns are `j.value->>0`, `j.value->>1` and so on; cast numbers.
 */
export function jsonRows({ engine }: EngineName, rows: readonly (readonly unknown[])[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return engine === 'sqlite'
    ? sql`json_each(${json}) as j`
    : sql`jsonb_array_elements(${json}::jsonb) as j(value)`;
}
