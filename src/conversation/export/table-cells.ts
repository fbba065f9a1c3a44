import { isObject } from '../../protocol/json.ts';
import { firstString, listOf, nonEmptyString, type Fields } from '../read-values.ts';

/** A table's headers and rows. The cells are unchanged. */
export interface TableCells {
  readonly headers: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Number of rows that are searched for column names. */
const sampledRows = 100;

/**
 * Reads a table. Its rows may be lists, objects with `cells`, or objects with column names as keys. Columns with names
 * have the order of the headers. If no header has such a name, they have the order of the keys, and the keys serve as
 * headers unless there are some.
 * @assumed rows with column names as keys: the interface shows `cells` only
 */
export function tableCells(source: Fields): TableCells {
  const headers = listOf(source['headers']);
  const rows = listOf(source['rows']);
  const names = new Set(rows.slice(0, sampledRows).filter(namesColumns).flatMap(Object.keys));
  const keys = headers.map((header) =>
    isObject(header) ? firstString(header, 'key', 'field', 'accessor', 'id', 'name') : nonEmptyString(header),
  );
  const areNamed = keys.some((key) => key !== undefined && names.has(key));
  const columns = areNamed ? keys : [...names];
  return {
    headers: headers.length > 0 ? headers : columns,
    rows: rows.map((row) =>
      namesColumns(row)
        ? columns.map((key) => (key !== undefined && Object.hasOwn(row, key) ? row[key] : undefined))
        : listOf(isObject(row) ? row['cells'] : Array.isArray(row) ? row : undefined),
    ),
  };
}

function namesColumns(row: unknown): row is Fields {
  return isObject(row) && row['cells'] === undefined;
}
