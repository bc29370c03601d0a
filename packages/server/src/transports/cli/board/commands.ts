import { ATTEMPT_COMMANDS } from './attempt-commands.ts';
import type { BoardCommand } from './command-spec.ts';
import { IMPORT_COMMANDS } from './import-commands.ts';
import { SHIP_COMMANDS } from './ship-commands.ts';
import { TASK_COMMANDS } from './task-commands.ts';

/** The everyday commands of the board, each of which calls a few tools. */
export const BOARD_COMMANDS: readonly BoardCommand[] = [
  ...TASK_COMMANDS,
  ...ATTEMPT_COMMANDS,
  ...SHIP_COMMANDS,
  ...IMPORT_COMMANDS,
];
