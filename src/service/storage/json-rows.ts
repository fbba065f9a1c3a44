import { sql, type RawBuilder } from 'kysely';
import type { EngineName } from './database.ts';

/**
 * Formats rows of values as a table `j` with one parameter, so a statement has the same text for any number of rows.
 * Its columns are `j.value->>0`, `j.value->>1` and so on; cast numbers.
 */
export function jsonRows({ engine }: EngineName, rows: readonly (readonly unknown[])[]): RawBuilder<unknown> {
  const json = wellFormed(JSON.stringify(rows));
  return engine === 'sqlite'
    ? sql`json_each(${json}) as j`
    : sql`jsonb_array_elements(${json}::jsonb) as j(value)`;
}

/**
 * Replaces halves of characters, which `JSON.stringify` writes as escapes. SQLite would make text of them that is not
 * UTF-8, which ends the process when libsql reads it; PostgreSQL refuses them.
 */
function wellFormed(json: string): string {
  if (!/\\ud[89a-f]/.test(json)) return json;
  // an escaped backslash may stand before a `u`
  return json.replace(/\\(?:ud[89a-f][\da-f]{2}|[^])/g, (escape) => (escape.length > 2 ? '\\ufffd' : escape));
}
