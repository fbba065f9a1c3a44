import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { readArguments } from './arguments.js';
import { historyLine } from './history.js';
import { explainFailure } from './peers/install.js';
import { peers } from './peers/list.js';
import { reportLines, type Run } from './report.js';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function result(way: string, size: number, main: number) {
  const rest = {
    script: 10,
    firstToken: main / 10,
    painted: 16.66,
    missed: 2,
    drawsPerSecond: 31,
    longTasks: 1,
  };
  return { way, shape: 'mixed', size, round: 0, main, ...rest };
}

const run: Run = {
  machine: 'a machine',
  rate: 200,
  throttle: 1,
  versions: { widget: '0.1.0', 'deep-chat': '2.4.2' },
  weights: {
    widget: { load: 12, answer: 60.04, otherHosts: [] },
    'deep-chat': { load: 89.51, answer: 89.51, otherHosts: ['fonts.example'] },
  },
  results: [
    result('floor', 2000, 100),
    result('widget', 2000, 130),
    ...[500, 300, 400].map((main) => result('deep-chat', 2000, main)),
    result('floor', 8000, 400),
    result('widget', 8000, 440),
    result('deep-chat', 8000, 6400),
  ],
};

test('peers are named with or without a version, and none is measured unasked', () => {
  expect(readArguments([]).peers).toEqual([]);
  expect(readArguments(['--peers', 'deep-chat@2.4.2,streamdown']).peers).toEqual([
    { name: 'deep-chat', version: '2.4.2' },
    { name: 'streamdown' },
  ]);
});

test('a peer without an adapter ends the bench at once, with those there are', () => {
  const bench = spawnSync(process.execPath, [file('run.js'), '--peers', 'deep-chat,constructor'], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(bench.status).toBe(1);
  expect(bench.stderr).toBe(
    '--peers: the bench knows no "constructor". It knows deep-chat, streamdown, react-markdown; add others in test/bench/peers.\n',
  );
});

test('every peer has its page, and none is a dependency', () => {
  const manifest = JSON.parse(readFileSync(file('../../package.json'), 'utf8')) as Record<string, object>;
  for (const name of Object.keys(peers)) {
    expect(peers[name]?.packages[0], 'the peer itself comes first').toBe(name);
    expect(existsSync(file(`peers/${name}.html`)), `${name}.html`).toBe(true);
    expect(readFileSync(file(`peers/${name}.html`), 'utf8')).toContain(`"${name}.js"`);
    expect(existsSync(file(`peers/${name}.js`)), `${name}.js`).toBe(true);
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies']) {
      expect(manifest[kind], kind).not.toHaveProperty([name]);
    }
  }
});

test('a registry that gives no peer is told with what to do', () => {
  const refused = 'npm warn old lockfile\nnpm error code ECONNREFUSED\nnpm error syscall connect\n';
  expect(explainFailure('deep-chat', refused)).toMatch(
    /^deep-chat could not be installed: the package registry cannot be reached \(ECONNREFUSED\)\. .*without --peers/,
  );
  expect(explainFailure('deep-chat@99.0.0', 'npm error code ETARGET\nnpm error notarget No match\n')).toBe(
    'The package registry has no deep-chat@99.0.0. Name another version, or none for the newest.',
  );
  expect(explainFailure('deep-chat', 'npm error code ENOSPC\n')).toContain('npm error code ENOSPC');
});

test('a peer stands in the table with its version, beside the floor and the widget', () => {
  const lines = reportLines(run);
  const at2k = lines.filter((line) => line.startsWith('| mixed 2k'));
  expect(at2k.map((line) => line.split(' | ')[1])).toEqual(['floor', 'widget 0.1.0', 'deep-chat 2.4.2']);
  // the median of three rounds, and against the floor's
  expect(at2k[2]).toBe('| mixed 2k | deep-chat 2.4.2 | 400 | 4.00 | 0.080 | 1 | 2 | 31 | 17 | 40.0 | 4.00 |');
});

test('growth and weight have a column and a row of the peer', () => {
  const lines = reportLines(run);
  expect(lines).toContain('| growth exponent | floor | widget | deep-chat |');
  expect(lines).toContain('| mixed | 1.00 | 0.88 | 2.00 |');
  expect(lines).toContain('| widget 0.1.0 | 12.0 | 60.0 | none |');
  expect(lines).toContain('| deep-chat 2.4.2 | 89.5 | 89.5 | fonts.example |');
});

test('a run is one line of the history, with the medians of each way', () => {
  const line = historyLine({ date: '2026-01-01T00:00:00.000Z', commit: 'abc1234', ...run });
  expect(line.indexOf('\n')).toBe(line.length - 1);
  const { ways, ...of } = JSON.parse(line);
  expect(of).toEqual({
    date: '2026-01-01T00:00:00.000Z',
    commit: 'abc1234',
    machine: 'a machine',
    rate: 200,
    throttle: 1,
    versions: run.versions,
  });
  expect(Object.keys(ways)).toEqual(['floor', 'widget', 'deep-chat']);
  expect(ways['deep-chat']).toMatchObject({ load: 89.51, answer: 89.51 });
  expect(ways['deep-chat'].medians.mixed).toEqual({
    2000: {
      rounds: 3,
      main: 400,
      firstToken: 40,
      missed: 2,
      drawsPerSecond: 31,
      longTasks: 1,
      painted: 16.7,
    },
    8000: {
      rounds: 1,
      main: 6400,
      firstToken: 640,
      missed: 2,
      drawsPerSecond: 31,
      longTasks: 1,
      painted: 16.7,
    },
  });
});
