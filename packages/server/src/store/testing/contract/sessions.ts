import { expect, it } from 'vitest';
import type { RunId } from '#domain/ids';
import { anApproval, aPrompt, settleBoard } from './board-fixture.ts';
import { anId, type OpenFixture } from './fixture.ts';
import { anAgent } from './tracker-fixture.ts';

/** Sessions of agents: messages, follow-ups, feed and questions. */
export function describeSessions(open: OpenFixture): void {
  it('[11.2] keeps the sessions of an attempt, the newest first, and writes changed fields of one', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session } = await settleBoard(store);
    const made = await attempt();
    const [first, second] = [await session(made, { created_at: 3 }), await session(made, { created_at: 3 })];
    const third = await session(made, { created_at: 2, variant: 'plan', agent_session_id: 's-1' });
    await session(await attempt());
    const changed = { variant: 'fast', agent_session_id: 's-2', updated_at: 8 };

    expect(await store.reads.attempts.sessions(made)).toEqual([first, second, third]);
    await store.transaction((tx) =>
      tx.attempts.updateSession({ ...second, ...changed, executor: 'stays', created_at: 9 }),
    );

    expect(await store.reads.attempts.sessions(made)).toEqual([first, { ...second, ...changed }, third]);
  });

  it('[11.2] keeps queued prompts in order, each in its session', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { user, attempt, session } = await settleBoard(store);
    const agent = anAgent(user);
    const made = await attempt();
    const [its, other] = [await session(made), await session(made)];
    const later = aPrompt(its, user, { created_at: 3, variant: 'fast', agent_id: agent.id });
    const [first, second] = [aPrompt(its, user, { created_at: 2 }), aPrompt(its, user, { created_at: 2 })];
    const elsewhere = aPrompt(other, user);
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const prompt of [later, first, second, elsewhere]) await tx.attempts.insertPrompt(prompt);
    });
    const { queued, prompt } = store.reads.attempts;
    const started = { status: 'started', execution_id: anId<RunId>() } as const;

    expect(await queued(made, its.id)).toEqual([first, second, later]);
    await store.transaction(async (tx) => {
      await tx.attempts.updatePrompt({ ...first, ...started, prompt: 'stays' });
      await tx.attempts.updatePrompt({ ...second, status: 'cancelled' });
    });

    expect(await queued(made, its.id)).toEqual([later]);
    expect(await prompt(made, its.id, first.id)).toEqual({ ...first, ...started });
    expect(await prompt(made, other.id, first.id)).toBeNull();
    expect(await queued(made, other.id)).toEqual([elsewhere]);
  });

  it('[11.4] returns the feed of all runs of an attempt in order, from any position on', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue } = await settleBoard(store);
    const made = await attempt();
    const its = await session(made);
    const entries = [
      await enqueue(its),
      await enqueue(its),
      await enqueue(its),
      await enqueue(await session(await attempt())),
    ];
    const [first, , third] = entries.map(({ execution_id }) => execution_id);
    for (const text of ['one', 'two', 'three']) {
      for (const { run } of entries.filter(({ execution_id }) => execution_id !== entries[1]?.execution_id)) {
        const entry = { execution_id: run.id, kind: 'message', text, at: 1 } as const;
        await store.transaction((tx) => tx.runs.insertEntry(entry));
      }
    }
    const { feed, latestFeed, runs } = store.reads.attempts;
    const place = (execution_id: RunId | undefined, seq: number) => ({
      execution_id: execution_id ?? anId(),
      seq,
    });
    const words = (entries: Awaited<ReturnType<typeof feed>>) =>
      entries.map(({ execution_id, seq, text }) => `${execution_id === first ? 1 : 3}.${seq} ${text}`);

    expect(words(await feed(made, null, 9))).toEqual([
      '1.1 one',
      '1.2 two',
      '1.3 three',
      '3.1 one',
      '3.2 two',
      '3.3 three',
    ]);
    expect(words(await feed(made, place(first, 2), 2))).toEqual(['1.3 three', '3.1 one']);
    expect(words(await feed(made, place(third, 1), 9))).toEqual(['3.2 two', '3.3 three']);
    expect(await feed(made, place(third, 3), 9)).toEqual([]);
    expect(words(await latestFeed(made, 4))).toEqual(['1.3 three', '3.1 one', '3.2 two', '3.3 three']);
    expect(words(await latestFeed(made, 2))).toEqual(['3.2 two', '3.3 three']);
    expect((await runs(made, 2)).map(({ id }) => id)).toEqual([third, entries[1]?.execution_id]);
    const given = await store.reads.attempts.prompts(made, [first ?? anId(), third ?? anId()]);
    expect(given.map(({ execution_id }) => execution_id)).toEqual([first, third]);
  });

  it('[11.1] keeps questions and their answers, each with its attempt and its run', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, user, only, elsewhere, attempt, session, enqueue } = await settleBoard(store);
    const agent = anAgent(user);
    const made = await attempt();
    const its = await session(made);
    const [{ run }, { run: later }] = [await enqueue(its), await enqueue(its)];
    const { run: another } = await enqueue(await session(await attempt()));
    const second = anApproval(run, { created_at: 2, kind: 'question', details: 'Here: 🌱', options: '[1]' });
    const [first, third, strange] = [anApproval(run), anApproval(later, { created_at: 3 }), anApproval(another)];
    await store.transaction(async (tx) => {
      await tx.agents.insert(agent);
      for (const approval of [second, first, third, strange]) await tx.approvals.insert(approval);
    });
    const { find, pending, ofRun } = store.reads.approvals;
    const answered = {
      status: 'approved',
      option: 'o-1',
      answer: 'Yes.',
      answered_by_user_id: user.id,
      answered_by_agent_id: agent.id,
      answered_at: 9,
    } as const;

    expect(await pending(made)).toEqual([first, second, third]);
    await store.transaction((tx) => tx.approvals.update({ ...second, ...answered, question: 'stays' }));

    expect(await pending(made)).toEqual([first, third]);
    expect(await ofRun(run)).toEqual([first, { ...second, ...answered }]);
    expect(await find(only(garden.project), second.id)).toEqual({
      approval: { ...second, ...answered },
      attempt: made,
    });
    for (const within of elsewhere) expect(await find(within, second.id)).toBeNull();
    expect(await find(only(garden.project), anId())).toBeNull();
  });

  it('[11.1] keeps questions about a task alone, and finds what was asked before with the same words', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { garden, item, only, elsewhere, foreign, attempt, session, enqueue } = await settleBoard(store);
    const made = await attempt();
    const { run } = await enqueue(await session(made));
    const tool = { origin: 'tool', work_item_id: item.id, question: 'When?' } as const;
    const alone = { ...tool, execution_id: null, attempt_id: null };
    const first = anApproval(run, { ...alone, created_at: 1 });
    const second = anApproval(run, { ...alone, created_at: 2 });
    const tried = anApproval(run, { ...tool, created_at: 3 });
    const strange = anApproval(run, { ...tool, origin: 'protocol', created_at: 4 });
    await store.transaction(async (tx) => {
      for (const approval of [second, first, tried, strange]) await tx.approvals.insert(approval);
      await tx.approvals.update({ ...second, status: 'approved', answer: 'Now.' });
    });
    const { find, lastAsked, openOfItem, ofItem } = store.reads.approvals;
    const place = { workspace_id: item.workspace_id, work_item_id: item.id, attempt_id: null };
    const answered = { ...second, status: 'approved', answer: 'Now.' } as const;

    expect(await find(only(garden.project), second.id)).toEqual({ approval: answered, attempt: null });
    for (const within of elsewhere) expect(await find(within, second.id)).toBeNull();
    expect(await lastAsked(place, 'When?')).toEqual(answered);
    expect(await lastAsked({ ...place, attempt_id: made.id }, 'When?')).toEqual(tried);
    expect(await lastAsked(place, 'Who?')).toBeNull();
    expect(await openOfItem(item)).toEqual([first, tried]);
    expect(await openOfItem({ ...item, workspace_id: foreign.workspace_id })).toEqual([]);
    expect(await ofItem(item, 9)).toEqual([strange, tried, answered, first]);
    expect(await ofItem(item, 2)).toEqual([strange, tried]);
    expect(await ofItem({ ...item, workspace_id: foreign.workspace_id }, 9)).toEqual([]);
  });

  it('[9.5] does not treat a run that waits for an answer as silent', async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { attempt, session, enqueue } = await settleBoard(store);
    const its = await session(await attempt());
    const [{ run }, { run: other }] = [await enqueue(its, { seen_at: 1 }), await enqueue(its, { seen_at: 1 })];
    const approval = anApproval(run);
    await store.transaction((tx) => tx.approvals.insert(approval));
    const silent = async () => {
      const query = { seen_before: 2, liveness: 'quiet', limit: 9 } as const;
      return (await store.transaction((tx) => tx.runs.silent(query))).map(({ id }) => id).toSorted();
    };
    const hasSilent = () => store.reads.runs.hasSilent({ silent_ms: 60_000, liveness: 'quiet' });

    expect(await silent()).toEqual([other.id]);
    await store.transaction((tx) => tx.runs.update({ ...other, liveness: 'quiet' }));
    expect(await hasSilent()).toBe(false);
    await store.transaction((tx) => tx.approvals.update({ ...approval, status: 'denied' }));

    expect(await silent()).toEqual([run.id]);
    expect(await hasSilent()).toBe(true);
  });
}
