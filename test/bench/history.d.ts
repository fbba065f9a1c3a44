import type { Run } from './report.js';
export function historyLine(run: Run & { readonly date: string; readonly commit?: string }): string;
