import type { Scenario } from './scenario.ts';
import { CREATING } from './scenarios/creating.ts';
import { HEALTH } from './scenarios/health.ts';
import { LISTING } from './scenarios/listing.ts';
import { SESSION } from './scenarios/session.ts';
import { UPDATING } from './scenarios/updating.ts';

const CHAPTERS = [LISTING, SESSION, CREATING, UPDATING, HEALTH];

/** All scenarios of agents' reports, for every transport and database. */
export const SCENARIOS: readonly Scenario[] = CHAPTERS.flat();

/** The first scenario of each chapter: what every agent does. */
export const CORE: readonly Scenario[] = CHAPTERS.flatMap((chapter) => chapter.slice(0, 1));
