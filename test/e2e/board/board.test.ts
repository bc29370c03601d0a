import { IS_LONG } from '../counts.ts';
import { describeBoard } from './describe-board.ts';
import { CORE, SCENARIOS } from './scenarios.ts';
import { OTHER_WAYS, WAYS, type Way } from './ways.ts';

// In `npm test` MCP alone; on PostgreSQL all scenarios run over REST.
const isWhole = ({ name }: Way): boolean => IS_LONG || name === 'MCP 2026-07-28 at /mcp/board';

describeBoard('sqlite', [
  { scenarios: SCENARIOS, ways: WAYS.filter(isWhole) },
  { scenarios: CORE, ways: [...WAYS.filter((way) => !isWhole(way)), ...OTHER_WAYS] },
]);
