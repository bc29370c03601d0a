import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainGit } from '#runner/git/testing/repository';
import { IS_LONG, times } from '../../../../../../test/e2e/counts.ts';
import { createShip } from './ship.ts';
import { freezeAt } from './testing/freeze.ts';
import { aStage, type Stage, stepsOf } from './testing/kill-round.ts';
import { anOrder, aShipBed, JOB, MOVED, movesOf } from './testing/ship-bed.ts';

const ours = () => Promise.resolve(true);

/** Where the target of each repository is: at its old commit or at that of the merge. */
const standings = ({ moves }: Stage) =>
  moves.map(({ source, from, to }) => {
    const at = plainGit(source, 'rev-parse', 'main');
    if (at === to) return 'merged';
    return at === from ? 'before' : 'elsewhere';
  });

const locked = ({ repos }: Stage) => repos.filter(({ source }) => existsSync(join(source, '.git/index.lock'))).length;
const unclean = ({ repos }: Stage) =>
  repos.filter(({ source }) => plainGit(source, 'status', '--porcelain') !== '').length;

/** Steps that change a repository: a kill before any other one leaves what the kill before it leaves. */
const CHANGES = /^before (?:lock|git update-ref|git checkout-index|rename of the index|unlock)$/;

describe('a repository that is away when the next worker goes on', () => {
  let stage: Stage;
  let steps: readonly number[];
  beforeAll(async () => {
    stage = await aStage(3, 'squash');
    const names = await stepsOf(stage);
    const all = names.flatMap((name, at) => (CHANGES.test(name) ? [at + 1] : []));
    // In `npm test` after the first and the second branch have moved, and while files are written.
    const moves = all.filter((at) => names[at - 1] === 'before git update-ref');
    const files = all.find((at) => names[at - 1] === 'before git checkout-index') ?? 0;
    steps = times({ whole: all.length, part: 0 }) > 0 ? all : [moves[1] ?? 0, moves[2] ?? 0, files];
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it(
    'is waited for without a lock and with clean files, and the merge is then made in all repositories',
    async () => {
      const found: unknown[] = [];
      for (const [turn, at] of steps.entries()) {
        for (const [where, repo] of stage.repos.entries()) {
          if (times({ whole: 1, part: 0 }) === 0 && where !== turn % 3) continue;
          stage.reset();
          await freezeAt(stage.bed.needs, at, (ship) => ship.carryOut(JOB, stage.moves, ours));
          const before = standings(stage);
          const hidden = `${repo.source}.away`;
          renameSync(repo.source, hidden);
          const ship = createShip(stage.bed.needs);
          const waiting = await ship.carryOut(JOB, stage.moves, ours);
          const others = { ...stage, repos: stage.repos.filter((one) => one !== repo) };
          const meanwhile = { locked: locked(others), unclean: unclean(others) };
          renameSync(hidden, repo.source);
          const stood = standings(stage);
          const after = await ship.carryOut(JOB, stage.moves, ours);
          const round = {
            waiting: waiting.status,
            names: waiting.status === 'waits' && waiting.text.includes(`${repo.repo_name} (${repo.source})`),
            meanwhile,
            stood,
            after: [after.status, ...standings(stage), locked(stage), unclean(stage)],
          };
          const wanted = {
            waiting: 'waits',
            names: true,
            meanwhile: { locked: 0, unclean: 0 },
            stood: before,
            after: ['merged', 'merged', 'merged', 'merged', 0, 0],
          };
          if (JSON.stringify(round) !== JSON.stringify(wanted)) found.push({ at, away: repo.repo_name, round });
        }
      }
      expect(found).toEqual([]);
    },
    times({ whole: 3_600_000, part: 60_000 }),
  );

  it('is no longer waited for when another repository has taken its place: the others are taken back', async () => {
    stage.reset();
    await freezeAt(stage.bed.needs, steps.at(-1) ?? 0, (ship) => ship.carryOut(JOB, stage.moves, ours));
    const [, second] = stage.repos;
    if (second === undefined) throw new Error('no second repository');
    rmSync(second.source, { recursive: true });
    mkdirSync(second.source);
    plainGit(second.source, 'init', '-q', '-b', 'main');
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    plainGit(second.source, ...identity, 'commit', '-q', '--allow-empty', '-m', 'new');

    const answer = await createShip(stage.bed.needs).carryOut(JOB, stage.moves, ours);

    expect(answer).toMatchObject({ status: 'refused', reason: 'moved' });
    expect(standings(stage)).toEqual(['before', 'elsewhere', 'before']);
    expect([locked(stage), unclean(stage)]).toEqual([0, 0]);
  });
});

const AT_ANY_CHANGE = /^before (?:git update-ref|removal|git checkout-index|rename|write|end of the|unlock)/;

describe('a worker that is killed while it takes a merge back', () => {
  it(
    'leaves files that the next one brings back',
    async () => {
      await using stage = await aStage(2, 'squash');
      const names = await stepsOf(stage);
      const [website, api] = stage.repos;
      if (website === undefined || api === undefined) throw new Error('no repositories');
      // The files of the first repository are new when the worker is killed, or half of them are.
      const kills = ['before git checkout-index', 'before unlock'].map((name) => names.indexOf(name) + 1);
      const found: unknown[] = [];
      for (const at of kills) {
        const prepare = async (): Promise<void> => {
          stage.reset();
          await freezeAt(stage.bed.needs, at, (ship) => ship.carryOut(JOB, stage.moves, ours));
          // A person has undone the merge in the second one: the first is taken back.
          plainGit(api.source, 'update-ref', 'refs/heads/main', `${api.commits.get('base')}`);
        };
        await prepare();
        const marks: string[] = [];
        const counting = createShip({ ...stage.bed.needs, steps: { mark: (name) => void marks.push(name) } });
        expect(await counting.carryOut(JOB, stage.moves, ours)).toMatchObject({ status: 'refused', reason: 'moved' });
        const steps = IS_LONG ? AT_ANY_CHANGE : /^before git checkout-index$/;
        const seconds = marks.flatMap((name, index) => (steps.test(name) ? [index + 1] : []));
        expect(seconds.length).toBeGreaterThan(0);
        for (const again of seconds) {
          await prepare();
          await freezeAt(stage.bed.needs, again, (ship) => ship.carryOut(JOB, stage.moves, ours));
          const answer = await createShip(stage.bed.needs).carryOut(JOB, stage.moves, ours);
          const after = [answer.status, standings(stage)[0], locked(stage), unclean(stage)];
          const own = readdirSync(join(website.source, '.git')).filter((name) => name.startsWith('errand-'));
          if (JSON.stringify([after, own]) !== JSON.stringify([['refused', 'before', 0, 0], []]))
            found.push({ at: names[at - 1], again: marks[again - 1], after, own });
        }
      }
      expect(found).toEqual([]);
    },
    times({ whole: 600_000, part: 60_000 }),
  );
});

describe('a branch that never rests', () => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const commitTo = (source: string, branch: string): string => {
    const tree = `${branch}^{tree}`;
    const commit = plainGit(source, ...identity, 'commit-tree', tree, '-p', branch, '-m', 'on and on');
    plainGit(source, 'update-ref', `refs/heads/${branch}`, commit);
    return commit;
  };

  it.each(['merge', 'rebase'] as const)('refuses a %s after one try, and loses no commit of it', async (kind) => {
    await using bed = await aShipBed();
    const repo = await bed.repo('website', { target: MOVED });
    plainGit(repo.source, 'checkout', '-q', '--detach');
    const branch = kind === 'merge' ? 'main' : repo.branch;
    let latest = '';
    let count = 0;
    const mark = (name: string): void => {
      count += 1;
      if (name === 'before git update-ref') latest = commitTo(repo.source, branch);
    };
    const plain = createShip(bed.needs);
    const order = { ...anOrder('merge'), with_markers: false };
    const prepared = await (kind === 'merge' ? plain.prepareMerge([repo], order) : plain.prepareRebase([repo], order));

    const answer = await createShip({ ...bed.needs, steps: { mark } }).carryOut(JOB, movesOf(prepared), ours);

    expect(answer).toMatchObject({ status: 'refused', reason: 'moved', text: expect.stringContaining('Try again') });
    expect(count).toBeLessThan(100);
    // Dropping the hidden reference of the job is the last move, before which the branch has gone on once more.
    expect(plainGit(repo.source, 'rev-parse', branch)).toBe(latest);
  });
});
