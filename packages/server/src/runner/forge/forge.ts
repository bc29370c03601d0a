import { z } from 'zod';
import type { PullRequest } from '#domain/git-job';
import type { OperatorProgram, ProgramOutput } from './operator-program.ts';
import type { ForgeName, ForgeRepo } from './remote.ts';

/** A request as a forge shows it. */
export interface SeenRequest extends Pick<PullRequest, 'url' | 'number' | 'state'> {
  /** The commit on the target branch; null unless it is merged. */
  readonly merge_commit: string | null;
}

export interface NewRequest {
  readonly branch: string;
  readonly target: string;
  readonly title: string;
  readonly body: string;
  readonly is_draft: boolean;
}

/** A refusal of a forge, with the text that it gave. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
}

/** What gh and glab have in common. */
export interface Forge {
  /** Rejects with `ProcessError` when its program is not installed. */
  readonly mustBeThere: () => Promise<void>;
  /** Opens a request, unless there is one for the branch already. */
  readonly create: (repo: ForgeRepo, request: NewRequest) => Promise<SeenRequest>;
  /** By its number, or by the name of its branch. */
  readonly view: (repo: ForgeRepo, which: string) => Promise<SeenRequest>;
}

const MAX_SAID = 300;

/** The first line in which a program says what is wrong. */
const said = ({ stdout, stderr, code }: ProgramOutput): string => {
  if (code === null) return 'it took too long and was ended';
  const line = `${stderr}\n${stdout}`.split('\n').find((text) => text.trim() !== '');
  return (line?.trim() ?? `exit ${code}`).slice(0, MAX_SAID);
};

const GitHubRequest = z.object({
  url: z.url({ protocol: /^https?$/ }),
  number: z.int().positive(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  isDraft: z.boolean(),
  mergeCommit: z.object({ oid: z.string() }).nullable(),
});

const GitLabRequest = z.object({
  web_url: z.url({ protocol: /^https?$/ }),
  iid: z.int().positive(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  draft: z.boolean().default(false),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
});

function fromGitHub(text: string): SeenRequest {
  const { url, number, state, isDraft, mergeCommit } = GitHubRequest.parse(JSON.parse(text));
  const open = isDraft ? 'draft' : 'open';
  return {
    url,
    number,
    state: ({ OPEN: open, CLOSED: 'closed', MERGED: 'merged' } as const)[state],
    merge_commit: mergeCommit?.oid ?? null,
  };
}

function fromGitLab(text: string): SeenRequest {
  const request = GitLabRequest.parse(JSON.parse(text));
  const open = request.draft ? 'draft' : 'open';
  return {
    url: request.web_url,
    number: request.iid,
    state: ({ opened: open, locked: open, closed: 'closed', merged: 'merged' } as const)[request.state],
    merge_commit: request.merge_commit_sha ?? request.squash_commit_sha ?? null,
  };
}

interface Dialect {
  readonly create: (
    repo: ForgeRepo,
    request: NewRequest,
  ) => { readonly args: readonly string[]; readonly input: string };
  readonly view: (repo: ForgeRepo, which: string) => readonly string[];
  readonly read: (text: string) => SeenRequest;
}

const DIALECTS: Readonly<Record<ForgeName, Dialect>> = {
  gh: {
    create: ({ host, path }, { branch, target, title, body, is_draft }) => ({
      args: [
        ...['pr', 'create', '--repo', `${host}/${path}`, '--head', branch, '--base', target],
        ...[`--title=${title}`, '--body-file', '-', ...(is_draft ? ['--draft'] : [])],
      ],
      input: body,
    }),
    view: ({ host, path }, which) => [
      ...['pr', 'view', which, '--repo', `${host}/${path}`],
      ...['--json', 'url,number,state,isDraft,mergeCommit'],
    ],
    read: fromGitHub,
  },
  glab: {
    create: ({ host, path }, { branch, target, title, body, is_draft }) => ({
      args: [
        ...['mr', 'create', '--repo', `https://${host}/${path}`, '--source-branch', branch, '--target-branch', target],
        // A description of a single dash would open an editor.
        ...[`--title=${title}`, `--description=${body === '-' ? '' : body}`, '--yes', ...(is_draft ? ['--draft'] : [])],
      ],
      input: '',
    }),
    view: ({ host, path }, which) => ['mr', 'view', which, '--repo', `https://${host}/${path}`, '--output', 'json'],
    read: fromGitLab,
  },
};

/** Speaks with a forge through its own program, as the operator. `cwd` is a repository of ours without anything in it. */
export function createForge(name: ForgeName, run: OperatorProgram, cwd: string): Forge {
  const dialect = DIALECTS[name];

  const view: Forge['view'] = async (repo, which) => {
    const output = await run(name, dialect.view(repo, which), { cwd });
    if (output.code !== 0) throw new ForgeError(said(output));
    try {
      return dialect.read(output.stdout);
    } catch {
      throw new ForgeError(`${name} has answered something that Errand does not understand`);
    }
  };

  return {
    mustBeThere: async () => {
      await run(name, ['--version'], { cwd });
    },
    view,
    create: async (repo, request) => {
      const { args, input } = dialect.create(repo, request);
      const made = await run(name, args, { cwd, input });
      // There may be one already: then the branch finds it.
      return view(repo, request.branch).catch((error: unknown) => {
        throw made.code === 0 ? error : new ForgeError(said(made));
      });
    },
  };
}
