import type { Finding, FindingKind } from './finding.ts';

const labels: Readonly<Record<FindingKind, string>> = {
  ok: 'good',
  fault: 'FAULT',
  advice: 'advice',
  absent: '–',
  unknown: '?',
};

/** The findings as a text for a person: what was seen, what to do, and one line that counts. */
export function formatReport(baseUrl: string, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ kind, check, seen, remedy }) => [
    `${labels[kind].padEnd(7)} ${check.padEnd(width)}  ${printable(seen)}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width + 10)}→ ${remedy}`]),
  ]);
  const count = (kind: FindingKind): number => findings.filter((finding) => finding.kind === kind).length;
  const verdict =
    count('fault') > 0
      ? `The widget cannot work properly with this server yet: ${count('fault')} fault${count('fault') === 1 ? '' : 's'}.`
      : 'The widget can work with this server.';
  return [
    baseUrl,
    '',
    ...lines,
    '',
    `${count('ok')} good, ${count('fault')} faults, ${count('advice')} advice, ${count('absent')} not offered, ${count('unknown')} could not be told`,
    verdict,
  ].join('\n');
}

/** What a server sent may hold sequences that command a terminal; without their control characters they are text. */
function printable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}]/gu, '');
}
