import { expect, it } from 'vitest';
import { createEventReader } from './sse.ts';

const STREAM =
  'retry: 1000\n\nid: 2\nevent: position\ndata: {"seq":2}\n\n:\n\nid: 3\nevent: step.created\ndata: {"a":\ndata: 1}\n\n';

it('reads the events of a stream, and leaves comments and settings out', () => {
  expect(createEventReader()(STREAM)).toEqual([
    { id: '2', event: 'position', data: '{"seq":2}' },
    { id: '3', event: 'step.created', data: '{"a":\n1}' },
  ]);
});

it('reads the same events when the stream comes byte by byte', () => {
  const read = createEventReader();

  expect([...STREAM].flatMap((byte) => read(byte))).toEqual(createEventReader()(STREAM));
});

it('keeps an event that is not complete until the rest has come', () => {
  const read = createEventReader();

  expect(read('id: 4\nevent: end\ndata: {}')).toEqual([]);
  expect(read('\n\n')).toEqual([{ id: '4', event: 'end', data: '{}' }]);
});
