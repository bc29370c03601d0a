import { spawn } from 'node:child_process';
import { GitError } from './git-error.ts';

const PATH =
  '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin:/nix/var/nix/profiles/default/bin';
const TIMEOUT_MS = 300_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 8 * 1024;

const ENVIRONMENT = {
  PATH,
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/true',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PROTOCOL_FROM_USER: '0',
} as const;

/** Given on every command line, so that no configuration file can override them. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.alternateRefsCommand=true',
  'core.quotePath=false',
  // Names that mean `.git` on other systems are refused here too.
  'core.protectHFS=true',
  'core.protectNTFS=true',
  // Larger files are neither held in memory nor compared line by line.
  'core.bigFileThreshold=10m',
  // Attempts share the references of a source: the second git waits for the lock.
  'core.filesRefLockTimeout=10000',
  'core.packedRefsTimeout=10000',
  'protocol.allow=never',
  'protocol.file.allow=always',
  'fetch.fsckObjects=true',
  'fetch.writeCommitGraph=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'diff.ignoreSubmodules=all',
  'diff.external=',
  'commit.gpgSign=false',
  'log.showSignature=false',
];

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface GitOptions {
  readonly git_dir?: string;
  readonly work_tree?: string;
  /** The working directory when there is no work tree. */
  readonly cwd?: string;
  /** An index outside of the git directory. */
  readonly index_file?: string;
  readonly input?: string | Buffer;
  readonly identity?: Identity;
  /** The author of a commit, if it is not the committer. */
  readonly author?: Identity | null;
  /** Also reads the operator's own configuration. Only for commands that start no program that it names. */
  readonly reads_operator?: boolean;
  /** Exit codes besides 0 that are no failure. */
  readonly answers?: readonly number[];
  /** Output beyond this many bytes is dropped, and git is ended. */
  readonly cut_at?: number;
  readonly settings?: readonly string[];
  /** Git searches for no repository above this folder. */
  readonly ceiling?: string;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly is_cut: boolean;
}

export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitOutput>;

/** The place of the operator's own git configuration. */
export interface OperatorHome {
  readonly HOME?: string | undefined;
  readonly XDG_CONFIG_HOME?: string | undefined;
}

function environmentOf(options: GitOptions, home: OperatorHome | null) {
  const { reads_operator = false, ceiling, identity, author, index_file } = options;
  const { GIT_CONFIG_GLOBAL, ...own } = ENVIRONMENT;
  const configured =
    reads_operator && home !== null
      ? {
          ...(home.HOME && { HOME: home.HOME }),
          ...(home.XDG_CONFIG_HOME && { XDG_CONFIG_HOME: home.XDG_CONFIG_HOME }),
        }
      : { GIT_CONFIG_GLOBAL };
  return {
    ...own,
    ...configured,
    ...(index_file !== undefined && { GIT_INDEX_FILE: index_file }),
    GIT_CEILING_DIRECTORIES: ceiling ?? '',
    ...identityOf(identity, author ?? identity),
  };
}

/** The only way to run git: no shell, no configuration but the repository's own, and nothing that can start a program. */
export function createGit(home: OperatorHome | null = null): Git {
  return (args, options = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn('git', commandLine(args, options), {
        cwd: options.work_tree ?? options.cwd ?? options.git_dir ?? '/',
        env: environmentOf(options, home),
        stdio: ['pipe', 'pipe', 'pipe'],
        // A process group of its own: processes that git has started end with it.
        detached: true,
      });
      const limit = options.cut_at ?? MAX_OUTPUT_BYTES;
      const chunks: Buffer[] = [];
      const complaints: Buffer[] = [];
      let size = 0;
      let said = 0;
      let is_late = false;
      const end = () => endGroup(child.pid);
      const timer = setTimeout(() => {
        is_late = true;
        end();
      }, TIMEOUT_MS);

      child.stdout.on('data', (chunk: Buffer) => {
        if (size <= limit) chunks.push(chunk);
        size += chunk.length;
        if (size > limit) end();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        if (said < MAX_STDERR_BYTES) complaints.push(chunk);
        said += chunk.length;
      });
      // A git that ends before it has read its input is judged by its exit code.
      child.stdin.on('error', () => {});
      child.stdin.end(options.input ?? '');

      child.on('error', (cause) => {
        clearTimeout(timer);
        reject(new GitError('git cannot be started. Is it installed?', cause.message));
      });
      child.on('close', (code) => {
        clearTimeout(timer);
        const is_cut = size > limit;
        const detail = `${args[0] ?? ''}: ${Buffer.concat(complaints).subarray(0, MAX_STDERR_BYTES).toString()}`;
        if (is_late) return reject(new GitError(`git ${args[0] ?? ''} took too long and was ended.`, detail));
        if (is_cut && options.cut_at === undefined)
          return reject(new GitError('git said more than can be read.', detail));
        if (is_cut) return resolve({ code: 0, stdout: Buffer.concat(chunks).subarray(0, limit), is_cut });
        if (code === null || (code !== 0 && !(options.answers ?? []).includes(code))) {
          return reject(new GitError(`git ${args[0] ?? ''} failed.`, detail));
        }
        resolve({ code, stdout: Buffer.concat(chunks), is_cut });
      });
    });
}

function commandLine(args: readonly string[], options: GitOptions): readonly string[] {
  const settings = [...SETTINGS, ...(options.settings ?? [])].flatMap((setting) => ['-c', setting]);
  return [
    '--no-pager',
    ...settings,
    ...(options.git_dir === undefined ? [] : [`--git-dir=${options.git_dir}`]),
    ...(options.work_tree === undefined ? [] : [`--work-tree=${options.work_tree}`]),
    ...args,
  ];
}

function identityOf(by: Identity | undefined, author = by): Readonly<Record<string, string>> {
  if (by === undefined || author === undefined) return {};
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: by.name,
    GIT_COMMITTER_EMAIL: by.email,
  };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** The output of a command, without the line end. */
export const said = ({ stdout }: GitOutput): string => stdout.toString().trimEnd();

/** As bytes: a name need not be UTF-8, and must reach git unchanged. */
export const names = (stdout: Buffer): readonly string[] => {
  const list = stdout.toString('latin1').split('\0');
  list.pop();
  return list;
};
