import { IS_LONG } from '../counts.ts';
import { describeBoard } from './describe-board.ts';
import { CORE, SCENARIOS } from './scenarios.ts';
import { OTHER_WAYS, WAYS, type Way } from './ways.ts';

// In `npm test` one MCP and one REST transport; on PostgreSQL all scenarios run over the other revision of MCP.
const FEW = ['MCP 2025-11-25 at /mcp/board', 'REST by route'];
const isWhole = ({ name }: Way): boolean => IS_LONG || FEW.includes(name);

describeBoard('sqlite', [
  { scenarios: SCENARIOS, ways: WAYS.filter(isWhole) },
  { scenarios: CORE, ways: [...WAYS.filter((way) => !isWhole(way)), ...OTHER_WAYS] },
]);
