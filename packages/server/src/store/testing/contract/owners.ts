import { expect, it } from 'vitest';
import type { WorkspaceId } from '#domain/ids';
import { aClaim, anApproval, aPrompt, aRepo, inRepo, settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

/** An id finds nothing, and changes nothing, for another workspace than its own. */
export function describeOwners(open: OpenFixture): void {
  it('[2.1] finds nothing of an attempt, a run or a task by its id for another workspace', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, item, attempt, session, enqueue } = await settleBoard(store);
    const made = await attempt();
    const its = await session(made);
    const { run } = await enqueue(its);
    const [repo, prompt, other] = [aRepo(garden.project), aPrompt(its, user), garden.anItem()];
    const busy = await attempt({ run_status: 'running' });
    await store.transaction(async (tx) => {
      await tx.projects.insertRepo(repo);
      await tx.attempts.insert({ ...busy, id: anId() }, []);
      await tx.attempts.insertPrompt(prompt);
      await tx.approvals.insert(anApproval(run));
      await tx.runs.insertEntry({ execution_id: run.id, kind: 'message', text: 'one', at: 1 });
      await tx.workItems.insert(other);
      await tx.board.putClaim(aClaim(item));
      await tx.board.setBlockers(item, [other.id]);
    });
    const withRepo = { ...busy, id: anId<typeof busy.id>() };
    await store.transaction((tx) => tx.attempts.insert(withRepo, [inRepo(withRepo, repo)]));
    const { attempts, approvals, queue, board, projects } = store.reads;

    const ask = async (workspace_id: WorkspaceId) => {
      const [of, ofRun] = [
        { id: made.id, workspace_id },
        { id: run.id, workspace_id },
      ];
      return [
        (await attempts.repos({ id: withRepo.id, workspace_id })).length,
        (await attempts.sessions(of)).length,
        (await attempts.runs(of, 9)).length,
        (await attempts.queued(of, its.id)).length,
        Number((await attempts.prompt(of, its.id, prompt.id)) !== null),
        (await attempts.feed(of, null, 9)).length,
        (await attempts.latestFeed(of, 9)).length,
        (await approvals.pending(of)).length,
        (await approvals.ofRun(ofRun)).length,
        Number((await queue.find(ofRun)) !== null),
        Number((await board.claim(workspace_id, item.id)) !== null),
        Number(await board.waitsFor(workspace_id, item.id, other.id)),
        Number((await projects.busyAttempt(workspace_id, repo.id)) !== null),
      ];
    };
    expect(await ask(made.workspace_id)).toEqual(Array(13).fill(1));
    expect(await ask(anId<WorkspaceId>())).toEqual(Array(13).fill(0));
    expect(await attempts.queued({ ...made, id: busy.id }, its.id)).toEqual([]);
    expect(await queue.findForWorker(run.id)).not.toBeNull();
    expect(await approvals.ofRunForWorker(run.id)).toHaveLength(1);
  });

  it('[2.1] changes nothing by its id for another workspace', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, item, everything, attempt } = await settleBoard(store);
    const [agent, repo, other] = [anAgent(user), aRepo(garden.project), garden.anItem()];
    const [made, project_id] = [await attempt(), garden.project.id];
    const grant = { agent_id: agent.id, project_id, scopes: ['issue:read'], can_complete: false, can_cancel: false };
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      await tx.agents.putGrant({ ...grant, scopes: ['issue:read'] });
      await tx.projects.putMember({ project_id, user_id: user.id, role: 'member', added_at: 1 });
      await tx.projects.insertRepo(repo);
      await tx.workItems.insert(other);
      await tx.board.setBlockers(item, [other.id]);
    });
    const foreign = anId<WorkspaceId>();

    const removed = await store.transaction(async (tx) => {
      await tx.attempts.update({ ...made, workspace_id: foreign, run_status: 'running' });
      await tx.projects.removeRepo(foreign, repo.id);
      await tx.board.setBlockers({ id: item.id, workspace_id: foreign }, []);
      return [
        await tx.agents.removeGrant(foreign, agent.id, project_id),
        await tx.projects.removeMember(foreign, project_id, user.id),
      ];
    });
    const added = store.transaction((tx) => tx.board.setBlockers({ id: item.id, workspace_id: foreign }, [other.id]));

    await expect(added).rejects.toMatchObject({ code: 'conflict' });
    expect(removed).toEqual([false, false]);
    expect((await store.reads.attempts.find(everything, made.id))?.run_status).toBeNull();
    expect(await store.reads.projects.repos(made.workspace_id, project_id)).toHaveLength(1);
    expect(await store.reads.agents.grants(made.workspace_id, agent.id)).toHaveLength(1);
    expect(await store.reads.projects.members(made.workspace_id, project_id)).toHaveLength(1);
    expect(await store.reads.board.blockers(everything, item.id)).toHaveLength(1);

    await store.transaction((tx) => tx.projects.removeRepo(made.workspace_id, repo.id));
    await store.transaction((tx) => tx.projects.restoreRepo(foreign, repo.id));
    expect(await store.reads.projects.repos(made.workspace_id, project_id)).toEqual([]);
    await store.transaction((tx) => tx.projects.restoreRepo(made.workspace_id, repo.id));
    expect(await store.reads.projects.repos(made.workspace_id, project_id)).toHaveLength(1);
  });
}
