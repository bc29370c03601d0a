import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAttemptFolders } from '#runner/git/attempt-folders';
import { plainGit } from '#runner/git/testing/repository';
import { createShip } from './ship.ts';
import { anOrder, aShipBed, BASE, BRANCH, JOB, MOVED, merge, movesOf, WORK } from './testing/ship-bed.ts';

const ours = () => Promise.resolve(true);
const log = (folder: string, ref = 'main') => plainGit(folder, 'log', '--format=%s|%an|%cn|%P', ref).split('\n');

describe('a merge', () => {
  it('gives a commit with two parents, the files of the work tree follow, and the same commit is answered again', async () => {
    await using bed = await aShipBed();
    const repo = await bed.repo('website', { target: MOVED });

    const done = await merge(bed.needs, [repo], 'merge');

    expect(done).toMatchObject({ status: 'merged', commits: [{ repo_id: repo.repo_id }] });
    const { commits } = repo;
    expect(log(repo.source)[0]).toBe(`Fix login (WEB-12)|Grace|Ada|${commits.get('target')} ${commits.get('work')}`);
    expect(await readFile(join(repo.source, 'a.txt'), 'utf8')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
    expect(plainGit(repo.source, 'status', '--porcelain')).toBe('');
    expect(plainGit(repo.source, 'for-each-ref', 'refs/errand/*/job')).toBe('');
    const at = plainGit(repo.source, 'rev-parse', 'main');
    expect(await merge(bed.needs, [repo], 'merge')).toMatchObject({ status: 'merged', commits: [{ commit: at }] });
  });

  it('by squash gives one commit, and by rebase keeps author, date and message of each', async () => {
    await using bed = await aShipBed();
    const repo = await bed.repo('website', { target: MOVED });
    const ship = createShip(bed.needs);
    const target = repo.commits.get('target');
    const prepare = async (mode: 'squash' | 'rebase') =>
      movesOf(await ship.prepareMerge([repo], anOrder(mode)))[0]?.to ?? '';
    expect(log(repo.source, await prepare('squash'))[0]).toBe(`Fix login (WEB-12)|Grace|Ada|${target}`);
    const rebased = await prepare('rebase');
    expect(log(repo.source, rebased)[0]).toBe(`work|Grace|Ada|${target}`);
    const whole = (ref: string) => plainGit(repo.source, 'log', '-1', '--format=%an %ae %at %B', ref);
    expect(whole(rebased)).toBe(whole(BRANCH));
  });

  it('of two repositories changes neither when one has conflicts', async () => {
    await using bed = await aShipBed();
    const one = await bed.repo('website', { target: MOVED });
    const two = await bed.repo('api', { target: { ...BASE, 'a.txt': 'other\n' } });

    const answer = await merge(bed.needs, [two, one], 'merge');

    expect(answer).toEqual({ status: 'conflicts', conflicts: [{ repo_id: two.repo_id, path: 'a.txt' }] });
    expect(plainGit(one.source, 'rev-parse', 'main')).toBe(one.commits.get('target'));
    expect(plainGit(one.source, 'for-each-ref', 'refs/errand/*/job')).toBe('');
    expect(plainGit(two.source, 'rev-parse', 'main')).toBe(two.commits.get('target'));
  });

  it('takes the first repository back when the second has moved meanwhile', async () => {
    await using bed = await aShipBed();
    const one = await bed.repo('website', { target: MOVED });
    const two = await bed.repo('api', { target: MOVED });
    const other = plainGit(two.source, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'other');
    const ship = createShip({
      ...bed.needs,
      steps: {
        mark: (name) => {
          // As soon as the first has moved, another git moves the second.
          if (name === 'after git update-ref') plainGit(two.source, 'update-ref', 'refs/heads/main', other);
        },
      },
    });
    const prepared = await createShip(bed.needs).prepareMerge([one, two], anOrder('merge'));

    const answer = await ship.carryOut(JOB, movesOf(prepared), ours);

    expect(answer).toMatchObject({ status: 'refused', reason: 'moved' });
    expect(plainGit(one.source, 'rev-parse', 'main')).toBe(one.commits.get('target'));
    expect(plainGit(one.source, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(one.source, '.git/index.lock'))).toBe(false);
  });
});

describe('a rebase of an attempt', () => {
  it('moves its branch on top of the target', async () => {
    await using bed = await aShipBed();
    const repo = await bed.repo('website', { target: MOVED });
    const ship = createShip(bed.needs);
    const prepared = await ship.prepareRebase([repo], { ...anOrder('rebase'), with_markers: false });
    const [move] = movesOf(prepared);

    expect(await ship.carryOut(JOB, movesOf(prepared), ours)).toMatchObject({ status: 'merged' });

    expect(log(repo.source, BRANCH)[0]).toBe(`work|Grace|Ada|${repo.commits.get('target')}`);
    expect(plainGit(repo.source, 'rev-parse', 'main')).toBe(repo.commits.get('target'));
    if (move === undefined) throw new Error('no move');
    expect((await ship.changes(move)).files.map(({ path }) => path)).toEqual(['a.txt', 'new/d.txt']);
  });

  it('is followed by the folder of the attempt, whose agent may rewrite its commits', async () => {
    await using bed = await aShipBed();
    const repo = await bed.repo('website', { target: MOVED });
    const folders = createAttemptFolders({ root: bed.root });
    const folder = folders.repoFolder(repo.attempt_id, 'website', 0);
    const place = { source: repo.source, folder, branch: BRANCH, attempt_id: repo.attempt_id, target_branch: 'main' };
    await folders.prepare({ ...place, base_commit: repo.base_commit });
    const ship = createShip(bed.needs);
    const moves = movesOf(await ship.prepareRebase([repo], { ...anOrder('rebase'), with_markers: false }));
    await ship.carryOut(JOB, moves, ours);

    await folders.prepare({ ...place, base_commit: repo.commits.get('target') ?? '' });

    expect(plainGit(repo.source, 'rev-parse', BRANCH)).toBe(moves[0]?.to);
    expect(plainGit(folder, 'rev-parse', 'HEAD')).toBe(moves[0]?.to);
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
    const identity = ['-c', 'user.name=Bot', '-c', 'user.email=bot@example.com'];
    plainGit(folder, ...identity, 'commit', '-q', '--amend', '-m', 'amended');
    const base_commit = repo.commits.get('target') ?? '';
    expect(await folders.commit({ ...place, base_commit, message: 'x' })).toMatchObject({ branch: 'moved' });
  });

  it('with markers hands the conflicts over, and a merge is refused until they are gone', async () => {
    await using bed = await aShipBed();
    const repo = await bed.repo('website', { target: { ...BASE, 'a.txt': 'other\n' } });
    const ship = createShip(bed.needs);
    const prepared = await ship.prepareRebase([repo], { ...anOrder('rebase'), with_markers: true });
    await ship.carryOut(JOB, movesOf(prepared), ours);

    const { commits } = repo;
    expect(log(repo.source, BRANCH)[0]).toMatch(`|${commits.get('work')} ${commits.get('target')}`);
    expect(plainGit(repo.source, 'show', `${BRANCH}:a.txt`)).toContain('<<<<<<< ');
    const again = await ship.prepareMerge([repo], anOrder('merge', { marker_paths: ['a.txt'] }));
    expect(again).toMatchObject({ status: 'refused', reason: 'unresolved' });
  });
});

describe('a branch', () => {
  it('is dropped only where it is expected, and not while it is checked out', async () => {
    await using bed = await aShipBed();
    const repo = await bed.repo('website', { work: WORK });
    const ship = createShip(bed.needs);
    const at = repo.commits.get('work') ?? '';
    expect(await ship.dropBranch(repo, repo.base_commit)).toBe(false);
    plainGit(repo.source, 'checkout', '-q', BRANCH);
    expect(await ship.dropBranch(repo, at)).toBe(false);
    plainGit(repo.source, 'checkout', '-q', 'main');
    expect(await ship.dropBranch(repo, at)).toBe(true);
  });
});
