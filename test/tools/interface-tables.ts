import { existsSync, readFileSync } from 'node:fs';

/** One row of a table of the interface: a field's name and its type in words. */
export interface TableRow {
  readonly field: string;
  readonly type: string;
}

const own = new URL('../fixtures/interface-tables.json', import.meta.url);
const interfaceDocument = new URL('../../../shared/spec/agent-conversation-service.md', import.meta.url);

/** The field tables of the interface by heading: from the document if it is available, else from our copy. */
export function interfaceTables(): Record<string, readonly TableRow[]> {
  if (existsSync(interfaceDocument)) return parseTables(readFileSync(interfaceDocument, 'utf8'));
  return JSON.parse(readFileSync(own, 'utf8')) as Record<string, readonly TableRow[]>;
}

/** Our copy of the tables. */
export function copiedTables(): Record<string, readonly TableRow[]> {
  return JSON.parse(readFileSync(own, 'utf8')) as Record<string, readonly TableRow[]>;
}

/** Whether the document is available. */
export const documentIsThere = existsSync(interfaceDocument);

function parseTables(markdown: string): Record<string, readonly TableRow[]> {
  const tables: Record<string, TableRow[]> = {};
  let heading = '';
  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+\s*/, '');
    const cells = line.split('|').map((cell) => cell.trim());
    if (!line.startsWith('|') || /^-+$/.test(cells[1] ?? '') || cells[1] === 'Field' || cells[1] === 'Group')
      continue;
    (tables[heading] ??= []).push({ field: cells[1] ?? '', type: cells[2] ?? '' });
  }
  return tables;
}
