import { IS_LONG } from '../counts.ts';
import { describeBoard } from './describe-board.ts';
import { CORE, SCENARIOS } from './scenarios.ts';
import { overStdio, WAYS } from './ways.ts';

// In `npm test` REST alone: on SQLite all scenarios run over MCP.
const WHOLE = IS_LONG ? ['MCP 2026-07-28 at /mcp/board', 'REST by tool name'] : ['REST by route'];

describeBoard('postgres', [
  { scenarios: SCENARIOS, ways: WAYS.filter(({ name }) => WHOLE.includes(name)) },
  { scenarios: CORE, ways: IS_LONG ? [overStdio('2026-07-28')] : [] },
]);
