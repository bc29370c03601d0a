import type { Section } from './report.ts';
import type { Effort } from './rounds.ts';

export interface Conditions {
  readonly effort: Effort;
  readonly wrk: boolean;
}

export type Suite = (conditions: Conditions) => Promise<Section>;
