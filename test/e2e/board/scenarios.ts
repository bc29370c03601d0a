import { IS_LONG } from '../counts.ts';
import { ATTEMPTS } from './scenarios/attempts.ts';
import { FOLLOWING } from './scenarios/following.ts';
import { KEYS } from './scenarios/keys.ts';
import { TASKS } from './scenarios/tasks.ts';
import { TOOLS } from './scenarios/tools.ts';
import type { Scenario } from './stage.ts';

export const SCENARIOS: readonly Scenario[] = [...TOOLS, ...TASKS, ...KEYS, ...ATTEMPTS, ...FOLLOWING];

/** Each run of an agent costs half a second of CPU time: in `npm test` the follow-up with the fewest runs. */
const FOLLOW_UPS = FOLLOWING.slice(IS_LONG ? 0 : 2, 3);

/** The scenarios that another address or another revision of the same tools could break. */
export const CORE: readonly Scenario[] = [...TOOLS, ...TASKS.slice(0, 1), ...FOLLOW_UPS];
