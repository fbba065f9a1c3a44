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

/** Prints one row an answer and way, as a Markdown table, and the growth of each shape. */
export function printReport(results, machine) {
  const write = (line) => process.stdout.write(`${line}\n`);
  const groups = new Map();
  for (const result of results) {
    const key = `${result.shape} ${result.size} ${result.way}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const of = (shape, size, way, key) => {
    const group = groups.get(`${shape} ${size} ${way}`);
    return group && median(group.map((result) => result[key]));
  };
  write(`\n${machine}\n`);
  write(
    '| answer | way | main thread ms | × floor | own ms a delta | long tasks | missed frames | last byte → painted ms | first token × |',
  );
  write('|---|---|--:|--:|--:|--:|--:|--:|--:|');
  const shapes = [...new Set(results.map(({ shape }) => shape))];
  const sizes = [...new Set(results.map(({ size }) => size))];
  const ways = [...new Set(results.map(({ way }) => way))];
  for (const shape of shapes) {
    for (const size of sizes) {
      for (const way of ways) {
        const main = of(shape, size, way, 'main');
        if (main === undefined) continue;
        const floor = of(shape, size, 'floor', 'main') ?? NaN;
        const first = of(shape, size, way, 'firstToken') / (of(shape, size, 'floor', 'firstToken') ?? NaN);
        const cells = [
          `${shape} ${size / 1000}k`,
          way,
          main.toFixed(0),
          (main / floor).toFixed(2),
          (of(shape, size, way, 'script') / (size / 16)).toFixed(3),
          of(shape, size, way, 'longTasks'),
          of(shape, size, way, 'missed'),
          of(shape, size, way, 'painted').toFixed(0),
          first.toFixed(2),
        ];
        write(`| ${cells.join(' | ')} |`);
      }
    }
  }
  if (sizes.length < 2) return;
  write('\n| growth exponent | floor | usual | widget |\n|---|--:|--:|--:|');
  for (const shape of shapes) {
    const cells = ['floor', 'usual', 'widget'].map((way) => {
      const points = sizes
        .map((size) => [size, of(shape, size, way, 'main')])
        .filter(([, main]) => main !== undefined);
      return points.length < 2 ? '–' : exponent(points).toFixed(2);
    });
    write(`| ${shape} | ${cells.join(' | ')} |`);
  }
}
