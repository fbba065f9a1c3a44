/** The value in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Slope of a line through the points in logarithms: 1 is linear, 2 quadratic. */
export function exponent(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const rise = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return rise / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/**
 * One row an answer and way, as a Markdown table, then the growth of each shape, and what each way weighs.
 * @param {object} run
 * @param {string} run.machine
 * @param {object[]} run.results
 * @param {Record<string, string>} run.versions of the ways that have one
 * @param {Record<string, { load: number, answer: number, otherHosts: string[] }>} run.weights in kB
 */
export function reportLines({ machine, results, versions, weights }) {
  const shapes = [...new Set(results.map(({ shape }) => shape))];
  const sizes = [...new Set(results.map(({ size }) => size))];
  const ways = [...new Set(results.map(({ way }) => way))];
  const title = (way) => (versions[way] ? `${way} ${versions[way]}` : way);
  const of = medianOf(results);
  const lines = [
    machine,
    '',
    '| answer | way | main thread ms | × floor | own ms a delta | long tasks | missed frames | drawn with new text a second | last byte → painted ms | first token ms | first token × |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  ];
  for (const shape of shapes) {
    for (const size of sizes) {
      for (const way of ways) {
        const main = of(shape, size, way, 'main');
        if (main === undefined) continue;
        const floor = of(shape, size, 'floor', 'main') ?? NaN;
        const first = of(shape, size, way, 'firstToken');
        const cells = [
          `${shape} ${size / 1000}k`,
          title(way),
          main.toFixed(0),
          (main / floor).toFixed(2),
          (of(shape, size, way, 'script') / (size / 16)).toFixed(3),
          of(shape, size, way, 'longTasks'),
          of(shape, size, way, 'missed'),
          of(shape, size, way, 'drawsPerSecond').toFixed(0),
          of(shape, size, way, 'painted').toFixed(0),
          first.toFixed(1),
          (first / (of(shape, size, 'floor', 'firstToken') ?? NaN)).toFixed(2),
        ];
        lines.push(row(cells));
      }
    }
  }
  return [...lines, ...growthLines(shapes, sizes, ways, of), ...weightLines(weights, title)];
}

function medianOf(results) {
  const groups = new Map();
  for (const result of results) {
    const key = `${result.shape} ${result.size} ${result.way}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return (shape, size, way, key) => {
    const group = groups.get(`${shape} ${size} ${way}`);
    return group && median(group.map((result) => result[key]));
  };
}

function growthLines(shapes, sizes, ways, of) {
  if (sizes.length < 2) return [];
  const lines = ['', row(['growth exponent', ...ways]), `|---|${'--:|'.repeat(ways.length)}`];
  for (const shape of shapes) {
    const cells = ways.map((way) => {
      const points = sizes
        .map((size) => [size, of(shape, size, way, 'main')])
        .filter(([, main]) => main !== undefined);
      return points.length < 2 ? '–' : exponent(points).toFixed(2);
    });
    lines.push(row([shape, ...cells]));
  }
  return lines;
}

function weightLines(weights, title) {
  const lines = [
    '',
    row(['way', 'kB brotli at page load', 'until a finished answer', 'other hosts asked']),
    '|---|--:|--:|---|',
  ];
  for (const [way, { load, answer, otherHosts }] of Object.entries(weights)) {
    lines.push(row([title(way), load.toFixed(1), answer.toFixed(1), otherHosts.join(', ') || 'none']));
  }
  return lines;
}

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}
