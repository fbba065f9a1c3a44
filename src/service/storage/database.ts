import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The database, or a transaction on it. */
export type Database = Kysely<Tables>;

/** Tells which engine a statement is for. */
export interface EngineName {
  readonly engine: 'sqlite' | 'postgres';
}
