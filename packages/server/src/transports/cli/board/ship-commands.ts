import { type BoardCommand, command, TASK } from './command-spec.ts';
import type { CompareOrder } from './compare.ts';

/** The everyday commands that choose among attempts and bring their work into the repository. */
export const SHIP_COMMANDS: readonly BoardCommand[] = [
  command<CompareOrder>({
    words: 'compare',
    does: ['compare_attempts', 'choose_attempt'],
    help: 'Show the attempts at a task side by side, or go on with one of them.',
    takes: [TASK, ['--choose <attempt>', 'go on with this attempt, and archive the others: their agents are stopped']],
    writes: true,
    work: async (cli, order) => (await import('./compare.ts')).compareAttempts(cli, order),
  }),
];
