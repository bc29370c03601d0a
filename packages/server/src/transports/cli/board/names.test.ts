import { describe, expect, it } from 'vitest';
import { shortId } from './names.ts';
import { tableOf } from './table.ts';

const A = '01a1e083-b670-70d4-8c8a-f2b6e93327da';
const B = '01a1e083-b671-7000-8000-000000000000';

describe('an id that is shown', () => {
  it('is as short as the others allow, at least eight characters, and never ends in a dash', () => {
    expect(shortId(A, [A])).toBe('01a1e083');
    expect(shortId(A, [A, B])).toBe('01a1e083-b670');
    expect(shortId(A, [A, '01a1e083-c'])).toBe('01a1e083-b');
  });
});

describe('a table', () => {
  const plain = { width: 40, paint: (text: string) => text };

  it('cuts its last column and the lines below a row to the width', () => {
    const lines = tableOf(plain, [{ task: 'WEB-1', title: 'x'.repeat(60) }], { below: () => ['y'.repeat(60)] });

    expect(lines.map((line) => [...line].length)).toEqual([12, 40, 40]);
    expect(lines[2]).toMatch(/^ {7}y+…$/);
  });

  it('has columns of equal width where cells are coloured', () => {
    const paint = (text: string): string => `<${text}>`;
    const rows = [
      { note: 'ready', title: 'A' },
      { note: 'needs you', title: 'B' },
    ];

    expect(tableOf({ width: 40, paint }, rows, { styleOf: () => 'green' })).toEqual([
      '<note>       <title>',
      '<ready>      <A>',
      '<needs you>  <B>',
    ]);
  });
});
