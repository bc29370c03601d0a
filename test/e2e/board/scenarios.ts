import { ATTEMPTS } from './scenarios/attempts.ts';
import { FOLLOWING } from './scenarios/following.ts';
import { TASKS } from './scenarios/tasks.ts';
import { TOOLS } from './scenarios/tools.ts';
import type { Scenario } from './stage.ts';

export const SCENARIOS: readonly Scenario[] = [...TOOLS, ...TASKS, ...ATTEMPTS, ...FOLLOWING];

/** The scenarios that another address or another revision of the same tools could break. */
export const CORE: readonly Scenario[] = [...TOOLS, ...TASKS.slice(0, 1), ...FOLLOWING.slice(0, 1)];
