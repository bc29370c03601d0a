import { expect, it } from 'vitest';
import { namedLimits, numbersIn } from './named-limits.ts';

const limitsIn = (source: string) => [...namedLimits(source)].map(([name, text]) => `${name} ${text}`);

it('reads limits, waiting times and sizes with their units', () => {
  const source = `
const MAX_TASKS = 10_000;
export const QUIET_AFTER_MS = 60_000;
const WAIT_MS = 250;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES: number = 100;
const TIMEOUT_S = 600;
const MAX_SHARE = 0.5;
`;

  expect(limitsIn(source)).toEqual([
    'MAX_TASKS 10,000',
    'QUIET_AFTER_MS 1 min',
    'WAIT_MS 250 ms',
    'MAX_OUTPUT_BYTES 64 MiB',
    'MAX_LINE_BYTES 100 bytes',
    'TIMEOUT_S 600 s',
    'MAX_SHARE 0.5',
  ]);
});

it('computes products with constants of the same file, and does not list units', () => {
  const source =
    'const DAY_MS = 24 * 60 * 60 * 1000;\nconst MIB = 1024 * 1024;\nconst KEPT_MS = 30 * DAY_MS;\nconst MAX_BYTES = 8 * MIB;';

  expect(limitsIn(source)).toEqual(['KEPT_MS 720 h', 'MAX_BYTES 8 MiB']);
});

it('reads a limit with several numbers', () => {
  const source = 'export const MAX_LABELS = { of_project: 500, of_issue: 50 } as const;';

  expect(limitsIn(source)).toEqual(['MAX_LABELS of_project 500 and of_issue 50']);
});

it('passes over constants that are no limit, and values that it cannot compute', () => {
  const source =
    'const OK = 200;\nconst MAX_OF_ALL = other();\nconst MAX_IMPORTED = ELSEWHERE * 2;\n  const MAX_WITHIN = 3;';

  expect(limitsIn(source)).toEqual([]);
});

it('reads the numbers of constants that are no limit by their name', () => {
  expect([...numbersIn('const TOASTS = 3;\nconst DAY_MS = 86_400_000;\nconst NAME = other();')]).toEqual([
    ['TOASTS', '3'],
    ['DAY_MS', '24 h'],
  ]);
});
