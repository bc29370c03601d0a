import { expect, it } from 'vitest';
import { linesOf } from './pasted-lines.ts';

it('takes each line of a list for a title, without its mark', () => {
  expect(linesOf('- Paint the door\n* [ ] Oil the hinge\r\n\n  2. Hang it\n[x] Sweep')).toEqual([
    'Paint the door',
    'Oil the hinge',
    'Hang it',
    'Sweep',
  ]);
});

it('takes at most 50 lines of at most 255 characters', () => {
  const lines = linesOf(Array.from({ length: 60 }, () => 'x'.repeat(300)).join('\n'));

  expect(lines).toHaveLength(50);
  expect(lines[0]).toHaveLength(255);
});
