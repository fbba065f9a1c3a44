/** Measures two things in turn, so that what else the machine does changes both. */
export async function bareAndService(rounds, { bare, service }) {
  const rows = { bare: [], service: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? ['bare', 'service'] : ['service', 'bare'];
    for (const name of order) rows[name].push(await (name === 'bare' ? bare() : service()));
  }
  return rows;
}

export function median(rows) {
  return Object.fromEntries(Object.keys(rows[0]).map((key) => [key, middle(rows.map((row) => row[key]))]));
}

/** How many times a figure of the service is that of the bare server: the median over the rounds. */
export function ratio(rows, key) {
  return middle(rows.service.map((row, round) => row[key] / Math.max(1, rows.bare[round][key])));
}

function middle(figures) {
  return [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 2)];
}

/** One figure of the table. `note`: how it compares. */
export function rowOf(key, unit, note = '', digits = 1) {
  return { key, unit, note, digits };
}

/** Prints figures, a column for each of `columns`. */
export function table(title, columns, rows) {
  const names = Object.keys(columns);
  console.log(`\n${title}`);
  console.log(`  ${''.padEnd(36)}${names.map((name) => name.padStart(14)).join('')}`);
  for (const [label, { key, unit, note, digits }] of Object.entries(rows)) {
    const cells = names.map((name) => {
      const value = columns[name][key];
      return (value === undefined ? '–' : `${value.toFixed(digits)} ${unit}`.trim()).padStart(14);
    });
    console.log(`  ${label.padEnd(36)}${cells.join('')}  ${note}`.trimEnd());
  }
}
