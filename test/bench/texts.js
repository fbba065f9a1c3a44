// Answers to stream: five shapes, each a given number of characters long, the same at every run.

const words =
  'the harbour office answers every morning and a berth near the gate is quiet when tides run high so boats wait for water before they turn into the narrow channel'.split(
    ' ',
  );

function* sentences() {
  for (let at = 0; ; at++) {
    const count = 8 + ((at * 7) % 9);
    const part = Array.from({ length: count }, (_, index) => words[(at * 5 + index * 3) % words.length]);
    if (at % 4 === 1) part[3] = `**${part[3]}**`;
    if (at % 5 === 2) part[5] = `*${part[5]}*`;
    if (at % 6 === 3) part[2] = `\`${part[2]}\``;
    if (at % 9 === 4) part[4] = `[${part[4]}](https://example.com/${at})`;
    yield `${part.join(' ').replace(/^./, (first) => first.toUpperCase())}. `;
  }
}

function fill(size, parts) {
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > size) break;
    text += part;
  }
  return text;
}

function* mixed() {
  const source = sentences();
  const next = () => source.next().value;
  for (let at = 0; ; at++) {
    if (at % 6 === 0) yield `## Part ${at / 6 + 1}\n\n`;
    yield `${next()}${next()}${next()}\n\n`;
    if (at % 3 === 1) yield `- ${next()}\n- ${next()}\n- ${next()}\n\n`;
    if (at % 6 === 2)
      yield '```js\nconst berth = await find({ length: 11 });\nif (!berth) return wait(15);\n```\n\n';
    if (at % 6 === 4)
      yield '| Berth | Power | Price |\n|---|---|--:|\n| C 14 | 16 A | 86.00 |\n| D 03 | none | 71.00 |\n\n';
    if (at % 6 === 5) yield `> ${next()}\n\n`;
  }
}

function* fence() {
  yield '```js\n';
  for (let at = 0; ; at++)
    yield `  const value${at} = compute(${at}, "a string", other${at % 7}); // step ${at}\n`;
}

function* list() {
  for (const sentence of sentences()) yield `- ${sentence}\n`;
}

function* table() {
  yield '| Number | Name | What it says |\n|--:|---|---|\n';
  let at = 0;
  for (const sentence of sentences())
    yield `| ${at++} | row ${at} | ${sentence.slice(0, 40).replaceAll(/[[\]`*|]/g, '')} |\n`;
}

/** Whatever its size may be: what an answer needs is transferred with it. */
function* brief() {
  yield 'Two berths are free, see the [harbour map](https://example.com/map).\n\n';
  yield '- **A12**, near the gate\n- **C4**, quiet\n\n';
  yield '| Berth | Metres |\n|---|--:|\n| A12 | 11 |\n| C4 | 14 |\n\n';
}

const shapes = {
  mixed,
  fence,
  list,
  table,
  paragraph: sentences,
};

export const shapeNames = Object.keys(shapes);
export const endMark = 'endofanswer';

/**
 * An answer.
 * @param {string} shape one of `shapeNames`, or `brief`: a link, a list and a table
 * @param {number} size characters
 */
export function answerText(shape, size) {
  const text = fill(size, shape === 'brief' ? brief() : shapes[shape]());
  const end = shape === 'table' ? `| 0 | ${endMark} | x |` : shape === 'list' ? `- ${endMark}` : endMark;
  return text + end;
}
