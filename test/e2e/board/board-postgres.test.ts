import { describeBoard } from './describe-board.ts';
import { CORE, SCENARIOS } from './scenarios.ts';
import { overRest, overStdio } from './ways.ts';

describeBoard('postgres', [
  { scenarios: SCENARIOS, ways: [overRest] },
  { scenarios: CORE, ways: [overStdio('2026-07-28')] },
]);
