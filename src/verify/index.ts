export type { Finding, FindingKind } from './finding.ts';
export { reportOf } from './report.ts';
export { verify, type VerifyOptions } from './verify.ts';
