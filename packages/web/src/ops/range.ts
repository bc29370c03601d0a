/**
 * How far back the charts of calls look: 15 minutes at first, an hour, or a day, which is all that the server keeps.
 */
export const OPS_RANGES = {
  '15m': { label: '15 min', minutes: 15 },
  '1h': { label: '1 h', minutes: 60 },
  '24h': { label: '24 h', minutes: 1_440 },
} as const;
export type OpsRange = keyof typeof OPS_RANGES;

/** What the page shows, as its address keeps it. */
export function opsViewIn({ range }: Record<string, unknown>): { readonly range?: OpsRange } {
  // Safe: it is a key of the ranges.
  return typeof range === 'string' && Object.hasOwn(OPS_RANGES, range) ? { range: range as OpsRange } : {};
}
