import { median } from './report.js';

const figures = ['main', 'firstToken', 'missed', 'drawsPerSecond', 'longTasks', 'painted'];

/**
 * One run of the bench as a line of `results/history.ndjson`: when, where and of what, then each way's weight and its
 * medians by shape and size.
 */
export function historyLine({ results, weights, ...run }) {
  const ways = {};
  for (const { way, shape, size } of results) {
    const medians = ((ways[way] ??= { ...weights[way], medians: {} }).medians[shape] ??= {});
    medians[size] ??= mediansOf(
      results.filter((result) => result.way === way && result.shape === shape && result.size === size),
    );
  }
  return `${JSON.stringify({ ...run, ways })}\n`;
}

function mediansOf(results) {
  const rounded = (key) => Number(median(results.map((result) => result[key])).toFixed(1));
  return { rounds: results.length, ...Object.fromEntries(figures.map((key) => [key, rounded(key)])) };
}
