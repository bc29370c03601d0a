import { z } from 'zod';

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const PATTERN = /^(0|[1-9]\d{0,4})([smhdw])$/;

/** A span of time as people write it, in milliseconds: `30d`. */
export const Duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[smhdw]$/, 'must be a number from 1 to 99999 and a unit (s, m, h, d, w), such as 30d')
  .describe('How long, as a number and a unit: 45m, 12h, 30d, 8w.');

/** The same, but zero is allowed: `0s`. */
export const DurationOrNone = z
  .string()
  .regex(PATTERN, 'must be a number from 0 to 99999 and a unit (s, m, h, d, w), such as 1h or 0s')
  .describe('How long, as a number and a unit: 0s, 45m, 12h.');

export function milliseconds(duration: string): number {
  const [, count = '0', unit = 's'] = PATTERN.exec(duration) ?? [];
  // Safe: the pattern has these units only.
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}
