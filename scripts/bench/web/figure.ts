import type { Browser } from 'playwright-core';
import type { Section } from '../report.ts';

export interface WebConditions {
  readonly browser: Browser;
  /** How long the memory is watched. */
  readonly minutes: number;
}

/** Measures one thing of the web board. */
export type WebFigure = (conditions: WebConditions) => Promise<Section>;
