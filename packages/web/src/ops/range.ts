/** How far back the page looks: an hour at first, a day, or a week, which is all that the server keeps. */
export const OPS_RANGES = {
  '1h': { label: '1 h', words: 'hour', minutes: 60 },
  '24h': { label: '24 h', words: '24 hours', minutes: 1_440 },
  '7d': { label: '7 d', words: '7 days', minutes: 10_080 },
} as const;
export type OpsRange = keyof typeof OPS_RANGES;

/** What the page shows, as its address keeps it. */
export function opsViewIn({ range }: Record<string, unknown>): { readonly range?: OpsRange } {
  // Safe: it is a key of the ranges.
  return typeof range === 'string' && Object.hasOwn(OPS_RANGES, range) ? { range: range as OpsRange } : {};
}
