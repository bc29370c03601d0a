import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { nameOf } from './names.ts';
import { everyRow } from './pages.ts';
import { plainLine } from './plain.ts';

export type MergeOrder = Pick<InputOf<'merge_attempt'>, 'attempt_id' | 'mode' | 'message' | 'resolve'>;
export type PullRequestOrder = Pick<InputOf<'open_pull_request'>, 'attempt_id' | 'title' | 'body' | 'draft'>;
export type RebaseOrder = Pick<InputOf<'rebase_attempt'>, 'attempt_id' | 'resolve'>;

type Attempt = AnswerOf<'get_attempt'>;
type Shipped = AnswerOf<'merge_attempt'> | AnswerOf<'rebase_attempt'>;

/** Enough to be typed after `git show`. */
const HASH_CHARACTERS = 8;

/** An attempt with the names of what a merge touches. */
interface Shipment {
  readonly name: string;
  readonly task: string;
  readonly repos: Attempt['repos'];
}

async function shipmentOf(cli: BoardCli, attempt_id: string): Promise<Shipment & { readonly task_id: string }> {
  const { key, task, repos, ...attempt } = await cli.ask('get_attempt', { attempt_id });
  return { name: nameOf(key, attempt.attempt_id), task: nameOf(task.key, task.task_id), task_id: task.task_id, repos };
}

const repoName = ({ repos }: Shipment, repo_id: string): string =>
  plainLine(repos.find((repo) => repo.repo_id === repo_id)?.repo_name ?? repo_id);

/** The target branches: "main", or "main, release" where the repositories differ. */
const targetsOf = ({ repos }: Shipment): string =>
  [...new Set(repos.map(({ target_branch }) => plainLine(target_branch)))].join(', ');

/** "main of website: 9fbaf6c6", for each repository. */
const commitWords = (shipment: Shipment, { commits = [] }: Shipped): string =>
  commits
    .map(({ repo_id, commit }) => {
      const target = shipment.repos.find((repo) => repo.repo_id === repo_id)?.target_branch ?? '';
      return `${plainLine(target)} of ${repoName(shipment, repo_id)}: ${commit.slice(0, HASH_CHARACTERS)}`;
    })
    .join(', ');

function conflictLines(shipment: Shipment, { conflicts = [], follow_up_id }: Shipped, verb: string): readonly string[] {
  const files = conflicts.length === 1 ? '1 file' : `${conflicts.length} files`;
  const rows = conflicts.map(({ repo_id, path }) => [repoName(shipment, repo_id), plainLine(path)] as const);
  const column = Math.max(0, ...rows.map(([repo]) => repo.length));
  // With --resolve the conflicts are on the attempt's own branch, for its agent.
  const unchanged = follow_up_id === undefined ? 'nothing was changed' : `${targetsOf(shipment)} was not changed`;
  return [
    `errand: ${shipment.name} conflicts with ${targetsOf(shipment)} in ${files}; ${unchanged}.`,
    ...rows.map(([repo, path]) => `  ${repo.padEnd(column)}  ${path}`),
    follow_up_id === undefined
      ? `Have the agent resolve them: errand ${verb} ${shipment.name} --resolve`
      : `The agent was asked to resolve them. Watch it: errand watch ${shipment.name}. Then: errand ${verb} ${shipment.name}`,
  ];
}

/** Says why nothing was changed. The exit code is 1. */
function tellUnshipped(cli: BoardCli, shipment: Shipment, answer: Shipped, verb: string): number {
  if (cli.json) cli.print(JSON.stringify(answer));
  else if (answer.status === 'conflicts') cli.remark(conflictLines(shipment, answer, verb).join('\n'));
  else cli.remark(`errand: ${plainLine(answer.reason ?? 'It was refused.')}`);
  return EXIT.failed;
}

const openAttempts = async (cli: BoardCli, task_id: string): Promise<ReadonlyMap<string, string>> => {
  const attempts = await everyRow(
    (page) => cli.ask('list_task_attempts', { task_id, ...page }),
    (answer) => answer.attempts,
  );
  return new Map(
    attempts
      .filter(({ state }) => state !== 'archived')
      .map(({ attempt_id, key }) => [attempt_id, nameOf(key, attempt_id)]),
  );
};

/** Merges the branch of an attempt. The exit code is 1 when it conflicts or is refused. */
export async function mergeAttempt(cli: BoardCli, order: MergeOrder): Promise<number> {
  const shipment = await shipmentOf(cli, order.attempt_id);
  const before = cli.json ? new Map<string, string>() : await openAttempts(cli, shipment.task_id);
  const answer = await cli.ask('merge_attempt', order);
  if (answer.status !== 'merged') return tellUnshipped(cli, shipment, answer, 'merge');
  if (cli.json) {
    cli.print(JSON.stringify(answer));
    return EXIT.ok;
  }
  const after = await openAttempts(cli, shipment.task_id);
  const archived = [...before].filter(([id]) => !after.has(id)).map(([, name]) => name);
  const mode = order.mode === undefined ? '' : ` (${order.mode})`;
  cli.print(
    `Merged ${shipment.name} into ${commitWords(shipment, answer)}${mode}.`,
    [
      `${shipment.task} is done.`,
      ...(archived.length === 0 ? [] : [`${archived.join(', ')} ${archived.length === 1 ? 'is' : 'are'} archived.`]),
      ...(answer.verdict === 'red' ? ['Its checks were red.'] : []),
      ...(answer.notes ?? []).map(plainLine),
    ].join(' '),
  );
  return EXIT.ok;
}

/** Puts the branch of an attempt on top of its target branch. */
export async function rebaseAttempt(cli: BoardCli, order: RebaseOrder): Promise<number> {
  const shipment = await shipmentOf(cli, order.attempt_id);
  const answer = await cli.ask('rebase_attempt', order);
  if (answer.status !== 'merged') return tellUnshipped(cli, shipment, answer, 'rebase');
  cli.tell(answer, `${shipment.name} stands on ${commitWords(shipment, answer) || targetsOf(shipment)}.`);
  return EXIT.ok;
}

/** Pushes the branch of an attempt and opens a pull request; asked again, it pushes what is new. */
export async function openPullRequest(cli: BoardCli, order: PullRequestOrder): Promise<number> {
  const answer = await cli.ask('open_pull_request', order);
  if (answer.status === 'refused') {
    if (cli.json) cli.print(JSON.stringify(answer));
    else cli.remark(`errand: ${plainLine(answer.reason ?? 'It was refused.')}`);
    return EXIT.failed;
  }
  cli.tell(answer, ...answer.pull_requests.map(({ url, state }) => `${plainLine(url)}  ${state}`));
  return EXIT.ok;
}
