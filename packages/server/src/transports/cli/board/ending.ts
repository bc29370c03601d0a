import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli } from './board-cli.ts';
import { labelled } from './feed-lines.ts';
import { nameOf } from './names.ts';
import { plain, plainLine } from './plain.ts';

type Attempt = AnswerOf<'get_attempt'>;
type ChangedFile = NonNullable<Attempt['files']>[number];

/** The words that people read, where they differ from the status of a run. */
const ENDS: Readonly<Record<string, string>> = { killed: 'stopped', interrupted: 'lost' };

const endWord = (status: string): string => ENDS[status] ?? status;

const MAX_FILES = 20;

export const fileLine = ({ path, change, insertions, deletions }: ChangedFile): string =>
  `${plainLine(path)}  ${insertions === null || deletions === null ? 'not text' : `+${insertions} -${deletions}`}  ${change}`;

function fileLines({ files = [], changes }: Attempt): readonly string[] {
  if (changes.files === 0) return labelled('changed', 'nothing');
  const shown = files.slice(0, MAX_FILES).map(fileLine);
  const left = changes.files - shown.length;
  return labelled('changed', [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join('\n'));
}

/** Whether the branch is there. When no repository has a commit of the attempt, the worker has removed it. */
export const hasBranch = ({ repos }: Pick<Attempt, 'repos'>): boolean =>
  repos.some(({ base_commit, head_commit }) => head_commit !== base_commit);

const OVER: ReadonlySet<Attempt['state']> = new Set(['merged', 'archived']);

/** What can be done next. A merged or archived attempt is only read. */
function nextLines({ state, changes }: Attempt, name: string): readonly string[] {
  const isOpen = !OVER.has(state);
  const hasChanges = changes.files > 0;
  return [
    ...(isOpen ? [`Follow up:      errand follow-up ${name} "what to do next"`] : []),
    ...(hasChanges ? [`Read the diff:  errand diff ${name}`] : []),
    ...(isOpen && hasChanges ? [`Merge it:       errand merge ${name}`] : []),
  ];
}

/** Lists what the run has left; nothing when it failed before the branch was made. */
function remainsLines(attempt: Attempt, cost: number | undefined): readonly string[] {
  const { task, repos } = attempt;
  const name = nameOf(attempt.key, attempt.attempt_id);
  const spent = cost === undefined ? [] : labelled('cost', `${cost} USD`);
  if (repos.every(({ base_commit }) => base_commit === null)) {
    return [...spent, '', `Start another:  errand run ${nameOf(task.key, task.task_id)}`];
  }
  return [
    ...(hasBranch(attempt) ? labelled('branch', attempt.workspace_branch) : []),
    ...fileLines(attempt),
    ...spent,
    '',
    ...nextLines(attempt, name),
  ];
}

function endingLines(attempt: Attempt): readonly string[] {
  const { run } = attempt;
  if (run === null) return ['Nothing has run in this attempt yet.'];
  const end = endWord(run.status);
  return [
    '',
    ...labelled(end, run.reason === null || run.reason === end ? '' : run.reason),
    ...(run.summary === null ? [] : ['', plain(run.summary), '']),
    ...remainsLines(attempt, run.usage?.cost_usd),
  ];
}

/** Prints how the latest run of an attempt ended. The exit code is 0 when it completed. */
export async function tellEnding(cli: BoardCli, attempt_id: string): Promise<number> {
  const attempt = await cli.ask('get_attempt', { attempt_id, include: ['files', 'whole'] });
  cli.tell(attempt, ...endingLines(attempt));
  return attempt.run?.status === 'completed' ? EXIT.ok : EXIT.failed;
}
