import { IS_LONG } from '../counts.ts';
import { describeBoard } from './describe-board.ts';
import { CORE, SCENARIOS } from './scenarios.ts';
import { overRest, overStdio, WAYS } from './ways.ts';

const newer = WAYS.filter(({ name }) => name === 'MCP 2026-07-28 at /mcp/board');

describeBoard('postgres', [
  { scenarios: SCENARIOS, ways: IS_LONG ? [...newer, overRest] : newer },
  { scenarios: CORE, ways: IS_LONG ? [overStdio('2026-07-28')] : [] },
]);
