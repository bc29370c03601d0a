import { z } from 'zod';

/** Tokens that a run can report: more than any run uses, and few enough that those of thousands of runs add up exactly. */
export const MAX_TOKENS = 1_000_000_000_000;
export const MAX_COST_USD = 1_000_000;

const tokens = z.int().min(0).max(MAX_TOKENS);

/** The cost of a run so far, as its reporter knows it. Each field is a total. */
export const Usage = z.strictObject({
  input_tokens: tokens.optional().describe('Tokens that the model was given.'),
  output_tokens: tokens.optional().describe('Tokens that the model answered.'),
  cost_usd: z.number().min(0).max(MAX_COST_USD).optional().describe('What it cost, in US dollars.'),
});
export type Usage = z.infer<typeof Usage>;

const MICRO = 1_000_000;

/** A cost in millionths of a dollar, as costs are added up: sums of fractions would show 0.30000000000000004. */
export const microUsd = (usd: number): number => Math.round(usd * MICRO);

export const usdOf = (micro_usd: number): number => micro_usd / MICRO;

/** A total within its bounds; undefined for what is no amount. */
const within = (value: unknown, most: number): number | undefined =>
  typeof value === 'number' && value >= 0 ? Math.min(value, most) : undefined;

const wholeWithin = (value: unknown): number | undefined => {
  const amount = within(value, MAX_TOKENS);
  return amount === undefined ? undefined : Math.ceil(amount);
};

const known = (usage: Readonly<Record<keyof Usage, number | undefined>>): Usage =>
  Object.fromEntries(Object.entries(usage).filter(([, amount]) => amount !== undefined));

/**
 * The usage that a program printed, as it may be kept: what is no amount is left out, what is too much is cut. A cost is
 * rounded to a millionth of a dollar, since sums of fractions have digits that mean nothing.
 */
export function boundedUsage(printed: Readonly<Partial<Record<keyof Usage, unknown>>>): Usage {
  const cost = within(printed.cost_usd, MAX_COST_USD);
  return known({
    input_tokens: wholeWithin(printed.input_tokens),
    output_tokens: wholeWithin(printed.output_tokens),
    cost_usd: cost === undefined ? undefined : usdOf(microUsd(cost)),
  });
}

/** The usage after a report. A total never goes down, and a field that the report does not name stays. */
export function laterUsage(before: Usage | null, report: Usage): Usage {
  const higher = (field: keyof Usage): number | undefined => {
    const [was, is] = [before?.[field], report[field]];
    return was === undefined || is === undefined ? (was ?? is) : Math.max(was, is);
  };
  return known({
    input_tokens: higher('input_tokens'),
    output_tokens: higher('output_tokens'),
    cost_usd: higher('cost_usd'),
  });
}

/** Reads the usage of a stored run. An older release may have written one beyond the bounds. */
export const storedUsage = (json: string | null): Usage | null =>
  // Safe: only objects are written.
  json === null ? null : boundedUsage(JSON.parse(json) as Record<string, unknown>);

/** The stored usage of a run after a report; the very same text when the report says nothing new. */
export function usageAfter(stored: string | null, report: Usage): string {
  const before = storedUsage(stored);
  const after = laterUsage(before, boundedUsage(report));
  const isSame = stored !== null && JSON.stringify(before) === JSON.stringify(after);
  return isSame ? stored : JSON.stringify(after);
}
