import { readFileSync } from 'node:fs';

/** Clock ticks a second, as Linux reports processor time. */
const ticks = 100;

/** Processor seconds and resident megabytes of a process. */
export function usage(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return { cpu: (Number(fields[11]) + Number(fields[12])) / ticks, resident };
}

export function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function until(moment) {
  const wait = moment - performance.now();
  return wait <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, wait));
}
