import { own, ownList, type JsonObject } from './json.ts';

/**
 * The schemas of a list's entries: those with a fixed position, and that of all others; undefined: no others are
 * allowed.
 */
export function entrySchemas(schema: JsonObject): {
  readonly fixed: readonly unknown[];
  readonly others: unknown;
} {
  const items = own(schema, 'items');
  const fixed = (Array.isArray(items) ? items : ownList(schema, 'prefixItems')).slice(0, 100);
  const others = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  if (others === false) return { fixed, others: undefined };
  return { fixed, others: others ?? (fixed.length ? undefined : true) };
}
