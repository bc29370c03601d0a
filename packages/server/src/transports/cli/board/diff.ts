import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import type { AnswerOf, BoardCli, InputOf } from './board-cli.ts';
import { fileLine } from './ending.ts';
import { plain, plainLine } from './plain.ts';

export interface DiffOrder extends Pick<InputOf<'get_attempt'>, 'attempt_id' | 'path'> {
  readonly files?: boolean;
  readonly repo?: string;
}

type Attempt = AnswerOf<'get_attempt'>;
type Repo = Attempt['repos'][number];

const MAX_DIFF_CHARACTERS = 100_000;

function repoOf({ repos }: Attempt, typed: string): Repo {
  const repo = repos.find(({ repo_id, repo_name }) => repo_id === typed || repo_name === typed);
  if (repo !== undefined) return repo;
  throw new ErrandError('not_found', `The attempt has no repository ${JSON.stringify(typed)}.`, {
    hint: `Give one of these: ${repos.map(({ repo_name }) => plainLine(repo_name)).join(', ')}.`,
  });
}

/** Returns the patch of one repository. No line of a patch looks like the line that names the repository. */
function partOf(patch: string, { repo_name }: Repo): string {
  const [, ...parts] = patch.split(/^# (?=.*$)/m);
  const own = parts.find((part) => part.startsWith(`${repo_name}\n`)) ?? '';
  return own.slice(repo_name.length + 1).replace(/\n\n$/, '\n');
}

async function wholePatch(cli: BoardCli, { attempt_id, path }: DiffOrder) {
  const texts: string[] = [];
  let diff_offset = 0;
  for (;;) {
    const answer: Attempt = await cli.ask('get_attempt', {
      attempt_id,
      include: ['diff', 'whole'],
      diff_offset,
      diff_limit: MAX_DIFF_CHARACTERS,
      ...(path !== undefined && { path }),
    });
    const { text = '', next_offset, is_cut = false, is_exact = true } = answer.diff ?? {};
    texts.push(text);
    if (next_offset === undefined) return { attempt: answer, patch: texts.join(''), is_cut, is_exact };
    diff_offset = next_offset;
  }
}

function notChanged(cli: BoardCli, { attempt_id, path = '' }: DiffOrder): number {
  cli.remark(`${plainLine(path)} is not among the changes. Those are: errand diff ${attempt_id} --files`);
  return EXIT.failed;
}

async function printFiles(cli: BoardCli, order: DiffOrder): Promise<number> {
  const { attempt_id, path, repo: typed } = order;
  const attempt = await cli.ask('get_attempt', { attempt_id, include: ['files', 'whole'] });
  const repo = typed === undefined ? undefined : repoOf(attempt, typed);
  const files = (attempt.files ?? []).filter(
    (file) => (path === undefined || file.path === path) && (repo === undefined || file.repo_id === repo.repo_id),
  );
  cli.tell({ files }, ...files.map(fileLine));
  return path !== undefined && files.length === 0 ? notChanged(cli, order) : EXIT.ok;
}

/** Prints the patch of an attempt unchanged, so that git can read it. On a terminal, control characters are removed. */
export async function printDiff(cli: BoardCli, order: DiffOrder): Promise<number> {
  if (order.files) return printFiles(cli, order);
  const { attempt, patch, is_cut, is_exact } = await wholePatch(cli, order);
  const repo = order.repo === undefined ? undefined : repoOf(attempt, order.repo);
  const text = repo === undefined || attempt.repos.length === 1 ? patch : partOf(patch, repo);
  if (cli.json) cli.print(JSON.stringify({ patch: text, is_cut, is_exact }));
  else cli.write(cli.is_terminal ? plain(text) : text);
  // The file may be in the part that was cut off.
  if (order.path !== undefined && text === '' && !is_cut) return notChanged(cli, order);
  if (!is_cut && is_exact) return EXIT.ok;
  const why = is_cut ? 'it was too long to be kept' : 'contents that are not plain text are left out';
  cli.remark(`Do not apply this patch: ${why}. All of it is on the branch ${attempt.workspace_branch}.`);
  return EXIT.failed;
}
