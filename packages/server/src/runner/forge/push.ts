import type { Git } from '#runner/git/git';
import { said } from '#runner/git/git';
import { isAncestor } from '#runner/git/source';
import type { OperatorProgram, ProgramOutput } from './operator-program.ts';

interface Push {
  readonly git_dir: string;
  readonly remote: string;
  readonly branch: string;
  readonly commit: string;
  /** The commit that Errand pushed last; null before the first time. */
  readonly pushed: string | null;
}

/** Hooks of the repository do not run, and no protocol that starts a program. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'push.followTags=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
];

const MAX_SAID = 300;

/** The remote to which the target branch belongs: its own, else origin, else the only one; null for none. */
export async function findRemote(git: Git, git_dir: string, target: string): Promise<string | null> {
  const read = async (...args: readonly string[]): Promise<string> =>
    said(await git(args, { git_dir, answers: [1, 2, 128] }));
  const own = await read('config', '--get', `branch.${target}.remote`);
  const names = (await read('remote')).split('\n').filter((name) => name !== '');
  if (names.includes(own)) return own;
  if (names.includes('origin')) return 'origin';
  return names.length === 1 ? (names[0] ?? null) : null;
}

/** What git says when a push fails, in one line. */
function problemOf({ code, stdout, stderr }: ProgramOutput): string {
  if (code === null) return 'it took too long and was ended';
  const rejected = stdout.split('\n').find((line) => line.startsWith('!'));
  const line = rejected?.split('\t').at(-1) ?? stderr.split('\n').findLast((text) => text.trim() !== '');
  return (line?.trim() ?? `exit ${code}`).slice(0, MAX_SAID);
}

/** Pushes a commit to the branch of the attempt, as the operator. Returns what went wrong; null for nothing. */
export async function push(git: Git, run: OperatorProgram, order: Push): Promise<string | null> {
  const { git_dir, remote, branch, commit, pushed } = order;
  const ref = `refs/heads/${branch}`;
  // After a rebase: only what Errand has pushed itself is replaced.
  const isRewritten = pushed !== null && !(await isAncestor(git, git_dir, [pushed, commit]));
  const args = [
    ...[`--git-dir=${git_dir}`, ...SETTINGS.flatMap((setting) => ['-c', setting])],
    ...['push', '--porcelain', '--no-verify', ...(isRewritten ? [`--force-with-lease=${ref}:${pushed}`] : [])],
    ...['--', remote, `${commit}:${ref}`],
  ];
  const output = await run('git', args, { cwd: '/' });
  return output.code === 0 ? null : problemOf(output);
}
