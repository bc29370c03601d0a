import { describeBoard } from './describe-board.ts';
import { CORE, SCENARIOS } from './scenarios.ts';
import { OTHER_WAYS, WAYS } from './ways.ts';

describeBoard('sqlite', [
  { scenarios: SCENARIOS, ways: WAYS },
  { scenarios: CORE, ways: OTHER_WAYS },
]);
