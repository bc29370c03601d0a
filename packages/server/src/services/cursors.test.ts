import { expect, it } from 'vitest';
import { createCursors } from './cursors.ts';

it('a cursor is taken by the list that gave it out, however list and position are cut', () => {
  const cursors = createCursors('secret');
  const cursor = cursors.encode('issues:a\nb', 'c');
  const mac = Buffer.from(cursor, 'base64url').subarray(0, 16);
  const moved = Buffer.concat([mac, Buffer.from('b\nc')]).toString('base64url');

  expect(cursors.decode('issues:a\nb', cursor)).toBe('c');
  expect(() => cursors.decode('issues:a', moved)).toThrow('cursor');
  expect(() => cursors.decode('issues:a', cursor)).toThrow('cursor');
});
