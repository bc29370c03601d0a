import { expect, it } from 'vitest';
import { counted } from './counted-title.ts';

it('puts the count before the title, changes it, and takes it away', () => {
  expect(counted('Board', 7)).toBe('(7) Board');
  expect(counted('(7) Board', 8)).toBe('(8) Board');
  expect(counted('(8) Board', 0)).toBe('Board');
});
