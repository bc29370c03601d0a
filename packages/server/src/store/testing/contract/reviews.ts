import { expect, it } from 'vitest';
import type { Attempt } from '#domain/attempt';
import type { QueuedPromptId, RepoId, ReviewCommentId } from '#domain/ids';
import type { ReviewComment } from '#domain/review';
import type { User } from '#domain/user';
import { aRepo, settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

const aComment = (
  attempt: Attempt,
  { user, repo_id }: { readonly user: User; readonly repo_id: RepoId },
  fields: Partial<ReviewComment> = {},
): Omit<ReviewComment, 'number'> => ({
  id: anId<ReviewCommentId>(),
  workspace_id: attempt.workspace_id,
  project_id: attempt.project_id,
  attempt_id: attempt.id,
  repo_id,
  path: 'roses.txt',
  side: 'new',
  line: 3,
  line_text: 'Red roses',
  commit_id: 'a1',
  text: 'Rather white ones.',
  status: 'draft',
  current_path: 'roses.txt',
  current_line: 3,
  current_commit: 'a1',
  is_outdated: false,
  author_user_id: user.id,
  author_agent_id: null,
  follow_up_id: null,
  note: null,
  resolved_by_user_id: null,
  resolved_by_agent_id: null,
  created_at: 1,
  resolved_at: null,
  ...fields,
});

/** Comments on the changes of attempts. */
export function describeReviews(open: OpenFixture): void {
  it('[19.1] keeps every field of a comment, and writes only changed fields, of this comment only', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, attempt, garden } = await settleBoard(store);
    const made = await attempt();
    const repo = aRepo(garden.project);
    const agent = anAgent(user);
    const by = { user, repo_id: repo.id };
    const changed = {
      status: 'resolved',
      current_path: 'lilies.txt',
      current_line: null,
      current_commit: 'b2',
      is_outdated: true,
      follow_up_id: anId<QueuedPromptId>(),
      note: 'Done.',
      resolved_by_user_id: user.id,
      resolved_by_agent_id: agent.id,
      resolved_at: 9,
    } as const;

    const [full, bare] = await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      await tx.projects.insertRepo(repo);
      const one = await tx.reviews.insert(
        aComment(made, by, { ...changed, side: 'old', line_text: null, author_agent_id: agent.id }),
      );
      const two = await tx.reviews.insert(aComment(made, by));
      await tx.reviews.update({ ...two, ...changed, text: 'stays', line: 7 });
      return [one, two];
    });

    expect([full.number, bare.number]).toEqual([1, 2]);
    expect(await store.reads.reviews.ofAttempt(made)).toEqual([full, { ...bare, ...changed }]);
  });

  it('[19.2] finds and counts comments in their projects and their workspace only, and deletes one alone', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, attempt, garden, foreign } = await settleBoard(store);
    const repo = aRepo(garden.project);
    await store.transaction((tx) => tx.projects.insertRepo(repo));
    const [made, other] = [await attempt(), await attempt()];
    const by = { user, repo_id: repo.id };
    const [first, second] = await store.transaction(async (tx) => [
      await tx.reviews.insert(aComment(made, by)),
      await tx.reviews.insert(aComment(made, by)),
    ]);
    const { workspace_id, project_id } = made;
    const find = (within: Parameters<typeof store.reads.reviews.find>[0]) => store.reads.reviews.find(within, first.id);

    const seen = [
      await find({ workspace_id, project_ids: [project_id] }),
      await find({ workspace_id, project_ids: 'all' }),
    ];
    const unseen = [
      await find({ workspace_id, project_ids: [] }),
      await find({ workspace_id: foreign.workspace_id, project_ids: 'all' }),
    ];
    const { count, ofNumber } = store.reads.reviews;
    const elsewhere = { ...made, workspace_id: foreign.workspace_id };
    const counts = [await count(made), await count(other), await count(elsewhere)];
    const numbered = [await ofNumber(made, 2), await ofNumber(made, 3), await ofNumber(elsewhere, 2)];
    await store.transaction((tx) => tx.reviews.delete(first));

    expect(seen).toEqual([first, first]);
    expect(unseen).toEqual([null, null]);
    expect(counts).toEqual([2, 0, 0]);
    expect(numbered).toEqual([second, null, null]);
    expect(await store.reads.reviews.ofAttempt(made)).toEqual([second]);
    expect(await store.reads.reviews.ofAttempt(other)).toEqual([]);
    expect(await store.reads.reviews.ofAttempt(elsewhere)).toEqual([]);
  });
}
