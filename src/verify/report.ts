import type { Finding, FindingKind } from './finding.ts';

const labels: Readonly<Record<FindingKind, string>> = {
  ok: 'good',
  error: 'ERROR',
  advice: 'advice',
  absent: '–',
  unknown: '?',
};

/** Formats the findings for a person: observations, fixes, and a summary line. */
export function formatReport(baseUrl: string, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ kind, check, seen, remedy }) => [
    `${labels[kind].padEnd(7)} ${check.padEnd(width)}  ${printable(seen)}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width + 10)}→ ${remedy}`]),
  ]);
  const count = (kind: FindingKind): number => findings.filter((finding) => finding.kind === kind).length;
  const errors = `${count('error')} ${count('error') === 1 ? 'error' : 'errors'}`;
  const verdict =
    count('error') > 0
      ? `The widget does not work properly with this server yet: ${errors}.`
      : 'The widget works with this server.';
  return [
    baseUrl,
    '',
    ...lines,
    '',
    `${count('ok')} good, ${errors}, ${count('advice')} advice, ${count('absent')} not offered, ${count('unknown')} unknown`,
    verdict,
  ].join('\n');
}

/** Removes control characters, because a server's text could control the terminal. */
function printable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, '');
}
