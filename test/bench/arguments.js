import { parseArgs } from 'node:util';
import { peers as knownPeers } from './peers/list.js';
import { shapeNames } from './texts.js';

const list = (text) => text.split(',').filter(Boolean);

/**
 * What a run of the bench is asked for, with its defaults.
 * @param {string[]} args
 * @throws {Error} that names the peers there are, when another is asked for
 */
export function readArguments(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      shapes: { type: 'string' },
      sizes: { type: 'string' },
      ways: { type: 'string', default: 'floor,usual,widget' },
      peers: { type: 'string', default: '' },
      rounds: { type: 'string' },
      rate: { type: 'string', default: '200' },
      throttle: { type: 'string', default: '1' },
      build: { type: 'boolean', default: true },
      append: { type: 'boolean', default: false },
      output: { type: 'string', default: 'markdown' },
    },
    allowNegative: true,
  });
  const { quick, build, append, output } = values;
  return {
    shapes: list(values.shapes ?? (quick ? 'mixed,fence' : shapeNames.join(','))),
    sizes: list(values.sizes ?? (quick ? '2000,8000,32000' : '2000,8000,32000,128000')).map(Number),
    ways: list(values.ways),
    peers: list(values.peers).map(readPeer),
    rounds: Number(values.rounds ?? (quick ? 1 : 3)),
    rate: Number(values.rate),
    throttle: Number(values.throttle),
    build,
    append,
    output,
  };
}

/** `name` or `name@version`. */
function readPeer(text) {
  const at = text.indexOf('@', 1);
  const name = at < 0 ? text : text.slice(0, at);
  if (!Object.hasOwn(knownPeers, name)) {
    const known = Object.keys(knownPeers).join(', ');
    throw new Error(
      `--peers: the bench knows no "${name}". It knows ${known}; add others in test/bench/peers.`,
    );
  }
  return at < 0 ? { name } : { name, version: text.slice(at + 1) };
}
