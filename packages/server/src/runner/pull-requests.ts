import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PullRequest } from '#domain/git-job';
import type { ClaimedJob } from '#services/ship/claimed-job';
import type { JobEnding } from '#services/ship/end-job';
import { type RequestWatches, requestsOf, type WatchedAttempt } from '#services/ship/request-watches';
import { createForge, type Forge, ForgeError, type SeenRequest } from './forge/forge.ts';
import type { OperatorProgram } from './forge/operator-program.ts';
import { findRemote, push } from './forge/push.ts';
import { type ForgeName, type ForgeRepo, forgeOf, forgeRepo } from './forge/remote.ts';
import type { Git } from './git/git.ts';
import { said } from './git/git.ts';
import { findHead } from './git/prepare.ts';
import { openSource } from './git/source.ts';
import { endsAs } from './plan-job.ts';
import { ProcessError } from './process/process-error.ts';

interface Needs {
  readonly git: Git;
  readonly run: OperatorProgram;
  /** The program for each host, where its name does not say it. */
  readonly forges: Readonly<Record<string, ForgeName>>;
  readonly clock: () => number;
}

/** Why no request was opened, in a word and a sentence. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;

  constructor(code: string, reason: string) {
    super(reason);
    this.code = code;
  }
}

type Repo = Pick<ClaimedJob['repos'][number], 'repo_id' | 'repo_name' | 'repo_path' | 'target_branch' | 'base_commit'>;

interface RemoteRepo {
  readonly git_dir: string;
  readonly remote: string;
  readonly at: ForgeRepo;
  readonly name: ForgeName;
}

/** Pull and merge requests for the branches of attempts, opened with gh or glab as the operator. */
export function createPullRequests({ git, run, forges, clock }: Needs) {
  async function remoteOf({ repo_name, repo_path, target_branch }: Repo): Promise<RemoteRepo> {
    const { git_dir } = await openSource(git, repo_path);
    const remote = await findRemote(git, git_dir, target_branch);
    if (remote === null)
      throw new Refused('no_remote', `${repo_name} has no remote to push to. Add one: git remote add origin ADDRESS`);
    const options = { git_dir, reads_operator: true, answers: [2, 128] };
    const address = said(await git(['remote', 'get-url', remote], options));
    const at = forgeRepo(address);
    if (at === null)
      throw new Refused(
        'no_forge',
        `The remote ${remote} of ${repo_name} is no repository at a forge. See its address: git remote get-url ${remote}`,
      );
    return { git_dir, remote, at, name: forgeOf(at.host, forges) };
  }

  /** Runs the work with the program of a forge, in a repository of our own: gh and glab look for one around them. */
  async function withForge<T>({ name, at }: RemoteRepo, work: (forge: Forge) => Promise<T>): Promise<T> {
    const cwd = await mkdtemp(join(tmpdir(), 'errand-forge-'));
    try {
      await git(['init', '-q', cwd], { cwd });
      await git(['remote', 'add', 'origin', `https://${at.host}/${at.path}`], { git_dir: join(cwd, '.git') });
      return await work(createForge(name, run, cwd));
    } catch (error) {
      if (error instanceof ProcessError)
        throw new Refused('no_program', `${error.message} It is needed for ${at.host}.`);
      if (error instanceof ForgeError) throw new Refused('forge', `${name} at ${at.host}: ${error.message}`);
      throw error;
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  }

  const requestOf = (repo: Repo, remoteRepo: RemoteRepo, seen: SeenRequest, pushed: string): PullRequest => ({
    url: seen.url,
    number: seen.number,
    forge: remoteRepo.name,
    repo_id: repo.repo_id,
    state: seen.state,
    checked_at: clock(),
    pushed,
  });

  /** Pushes the branch of one repository and opens its request, or finds it again; null when there is nothing to offer. */
  async function open(claimed: ClaimedJob, repo: Repo, before: PullRequest | undefined): Promise<PullRequest | null> {
    const { attempt, request, title, summary } = claimed;
    const remoteRepo = await remoteOf(repo);
    const commit = await findHead(git, remoteRepo.git_dir, { branch: attempt.branch, attempt_id: attempt.id });
    if (commit === null || commit === repo.base_commit) return null;
    return withForge(remoteRepo, async (forge) => {
      // Before the push: without the program the branch would be offered to nobody.
      await forge.mustBeThere();
      const pushed = before?.pushed ?? null;
      const problem = await push(git, run, { ...remoteRepo, branch: attempt.branch, commit, pushed });
      if (problem !== null)
        throw new Refused('push_failed', `${repo.repo_name} could not be pushed to ${remoteRepo.remote}: ${problem}`);
      const wanted = {
        branch: attempt.branch,
        target: repo.target_branch,
        title: request.title ?? title,
        body: request.body ?? summary ?? '',
        is_draft: request.draft === true,
      };
      const seen =
        before === undefined
          ? await forge.create(remoteRepo.at, wanted)
          : await forge.view(remoteRepo.at, String(before.number));
      return requestOf(repo, remoteRepo, seen, commit);
    });
  }

  return {
    /** Opens the requests of an attempt, one for each repository with changes. Asked again, it pushes what is new. */
    openAll: async (claimed: ClaimedJob): Promise<JobEnding> => {
      const before = new Map(requestsOf(claimed.attempt).map((request) => [request.repo_id, request]));
      const pull_requests: PullRequest[] = [];
      try {
        for (const repo of claimed.repos) {
          const opened = await open(claimed, repo, before.get(repo.repo_id));
          if (opened !== null) pull_requests.push(opened);
        }
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { result } = endsAs('refused', error.code, error.message);
        return { status: 'refused', result: { ...result, ...(pull_requests.length > 0 && { pull_requests }) } };
      }
      if (pull_requests.length === 0) return endsAs('refused', 'nothing', 'The attempt has changed nothing.');
      return { status: 'done', result: { pull_requests } };
    },

    /** Asks the forges for the state of the requests that are due. */
    follow: async (watches: RequestWatches, host_id: string, report: (error: unknown) => void): Promise<void> => {
      for (const watched of await watches.due(host_id)) {
        await look(watched).then((seen) => watches.note(watched, seen), report);
      }
    },
  };

  /** The requests of an attempt as they are now. One that cannot be asked for stays as it was. */
  async function look({ repos, requests }: WatchedAttempt) {
    const seen: { readonly request: PullRequest; readonly merge_commit: string | null }[] = [];
    for (const request of requests) {
      const repo = repos.find(({ repo_id }) => repo_id === request.repo_id);
      const found = repo === undefined || request.state === 'merged' ? null : await viewed(repo, request);
      const { merge_commit = null, ...now } = found ?? {};
      seen.push({ request: { ...request, ...now, checked_at: clock() }, merge_commit });
    }
    return seen;
  }

  async function viewed(repo: Repo, { number }: PullRequest): Promise<SeenRequest | null> {
    try {
      const remoteRepo = await remoteOf(repo);
      return await withForge(remoteRepo, (forge) => forge.view(remoteRepo.at, String(number)));
    } catch (error) {
      // The forge or its program is away for now.
      if (error instanceof Refused) return null;
      throw error;
    }
  }
}

export type PullRequests = ReturnType<typeof createPullRequests>;
