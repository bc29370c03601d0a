import { z } from 'zod';

/** Texts with commas between them. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** A whole number above 0 with at most this many digits. */
export const count = (digits: number, unit = '') => ({
  flag: null,
  takes: `a whole number${unit} from 1 to ${'9'.repeat(digits)}`,
  secret: false,
  schema: z
    .string()
    .regex(new RegExp(`^[1-9]\\d{0,${digits - 1}}$`))
    .transform(Number),
});

/** A limit with a minimum: a lower value would let no request through. */
export function limit(least: number, most: number, unit: string) {
  return {
    flag: null,
    takes: `a whole number${unit} from ${least} to ${most}`,
    secret: false,
    schema: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .refine((value) => value >= least && value <= most),
  };
}
