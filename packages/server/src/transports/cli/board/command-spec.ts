import type { ToolName } from '#advice';
import type { BoardCli } from './board-cli.ts';

/**
 * An argument or an option: its spelling, its help, and how several values are read. One that is spelled
 * like a field of the main tool, and means the same, uses that field's help.
 */
export type Take =
  | string
  | readonly [typed: string, help: string, read?: (value: string, before?: readonly string[]) => readonly string[]];

interface Spec<Order> {
  readonly words: string;
  /** The tools that the command calls, the main one first: advice to call one of them names this command. */
  readonly does: readonly [ToolName, ...ToolName[]];
  readonly help: string;
  /** Help that the list of commands leaves out. */
  readonly more_help?: string;
  readonly takes: readonly Take[];
  /** Fields that are not spelled `--field` or `--field value`. */
  readonly spells?: Readonly<Record<string, string>>;
  /** Whether the command changes something, when its main tool alone does not tell. */
  readonly writes?: boolean;
  /** Whether the command can add the first thing: where there is no data yet, it makes some. */
  readonly adds?: boolean;
  /** Does the work of the command; resolves with the exit code. Its module is loaded only when it is typed. */
  readonly work: (cli: BoardCli, order: Order) => Promise<number>;
}

/** The keys of an order are the names in `takes`: checked here, dropped for the table. */
export type BoardCommand = Spec<never>;
export const command = <Order>(spec: Spec<Order>): BoardCommand => spec as BoardCommand;

export const several = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(','),
];

/** Repeated flags, not commas: names of branches may contain commas. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const TASK: Take = ['<task-id>', 'the task, by key such as WEB-12, or by id'];
export const ATTEMPT: Take = [
  '<attempt-id>',
  'the attempt, by key such as WEB-12.1, by id, or by the key of its task when that has no other',
];
export const PROJECT: Take = [
  '--project <name>',
  'the project, by key, name or id (default: the only one with a repository)',
];
export const WAIT: Take = ['--wait', 'watch until the run has ended; the exit code is 0 if it is completed'];
export const IN_PROJECT = { project_id: '--project' };
