export type { Finding, FindingKind } from './finding.ts';
export { formatReport } from './report.ts';
export { verify, type VerifyOptions } from './verify.ts';
