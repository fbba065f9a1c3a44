import { expect, test } from '@playwright/test';
import { readRecording, writeRecording, type Recording } from '../../../demo/playground/recording.ts';

const recording: Recording = {
  message: 'Is a berth free?\nThis weekend.',
  events: [
    { at: 120, id: '1-0', event: 'run.started', data: { run_id: 'R' } },
    { at: 450, id: '2-0', event: 'message.delta', data: { delta: { content: [{ text: 'Yes\u2028' }] } } },
    { at: 900, id: '3-0', event: 'done', data: {} },
  ],
};

test('a saved run can be read back unchanged', () => {
  expect(readRecording(writeRecording(recording))).toEqual(recording);
});

test('a stream without times plays at an even pace', () => {
  const { events } = readRecording(
    '{"id":"1","event":"run.started","data":{}}\n\n{"id":"2","event":"done","data":{}}\n',
  );
  expect(events.map((event) => event.at)).toEqual([30, 60]);
});

test('an invalid recording is rejected with the number of the wrong line', () => {
  expect(() => readRecording('{"event":"done"}\nnope')).toThrow('Line 2');
  expect(() => readRecording('{"a":1}')).toThrow('no "event"');
  expect(() => readRecording('')).toThrow('no event');
});
