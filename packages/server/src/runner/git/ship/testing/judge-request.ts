import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOperatorProgram } from '#runner/forge/operator-program';
import type { ShipNeeds } from '#runner/git/ship/ship-tools';
import { plainGit } from '#runner/git/testing/repository';
import { createPullRequests } from '#runner/pull-requests';
import type { ClaimedJob } from '#services/ship/claimed-job';
import type { Situation } from './make-situation.ts';
import { differing, pictureOf, refsOf } from './picture.ts';
import { ATTEMPT, BRANCH } from './ship-bed.ts';

const ADDRESS = 'https://github.example/ana/shop.git';
const REQUEST = 'https://github.example/ana/shop/pull/17';

/** Stands in for gh: it opens one request, and knows nothing else. */
const GH = `#!/bin/sh
case "$2" in
  create) cat >/dev/null; echo ${REQUEST} ;;
  view) printf '{"url":"${REQUEST}","number":17,"state":"OPEN","isDraft":false,"mergeCommit":null}' ;;
esac
`;

/** Gives the repository a remote at a forge, whose pushes go to a folder. Returns that folder. */
function addRemote({ made }: Situation): string {
  const format = plainGit(made.source, 'rev-parse', '--show-object-format');
  const bare = join(made.folder, 'remote.git');
  plainGit(made.folder, 'init', '-q', '--bare', `--object-format=${format}`, bare);
  // A forge has the whole history.
  plainGit(bare, 'config', 'receive.shallowUpdate', 'true');
  plainGit(made.source, 'remote', 'add', 'origin', ADDRESS);
  plainGit(made.source, 'config', `url.${bare}.pushInsteadOf`, ADDRESS);
  return bare;
}

function installGh(folder: string): string {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'gh'), GH);
  chmodSync(join(programs, 'gh'), 0o755);
  return programs;
}

/** Offers the branch as a pull request. Nothing of the person may change but the note of what was pushed. */
export async function judgeRequest({ git }: ShipNeeds, situation: Situation): Promise<readonly string[]> {
  const { made, repo, commits } = situation;
  const bare = addRemote(situation);
  const path = [installGh(made.folder), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const run = createOperatorProgram({ PATH: path, HOME: made.folder });
  const pictures = () => [...new Set([made.source, made.tree])].map((folder) => pictureOf(folder));
  const [refs, before] = [refsOf(made.source), pictures()];
  const claimed = {
    attempt: { id: ATTEMPT, branch: BRANCH, pull_request: null },
    repos: [{ ...repo, repo_path: repo.source }],
    request: {},
    title: 'Fix login',
    summary: null,
  };

  // The cast: opening a request reads these fields of a job alone.
  const answer = await createPullRequests({ git, run, forges: {}, clock: () => 0 }).openAll(
    claimed as unknown as ClaimedJob,
  );

  const moved = differing(refs, refsOf(made.source)).filter((name) => name !== `refs/remotes/origin/${BRANCH}`);
  const changed = pictures().flatMap((picture, at) => differing(before[at] ?? new Map(), picture));
  const pushed = plainGit(bare, 'for-each-ref', '--format=%(refname) %(objectname)');
  const is_right = answer.status === 'done' && pushed === `refs/heads/${BRANCH} ${commits.get('work')}`;
  return [
    ...(is_right ? [] : [`answered ${JSON.stringify(answer)}, pushed ${pushed}`]),
    ...moved.map((name) => `moved ${name}`),
    ...changed
      .filter((name) => !/^(?:\.git\/)?(?:logs\/)?(?:refs\/)?(?:remotes\/|$)/.test(name))
      .map((name) => `changed ${name}`),
  ];
}
