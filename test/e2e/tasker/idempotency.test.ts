import { env } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../packages/server/src/domain/scope.ts';
import type { Arguments } from '../client.ts';
import { IS_LONG, times } from '../counts.ts';
import { verifyChain } from '../durability/oracle.ts';
import { serve } from '../program.ts';
import { openPlace } from '../world.ts';
import { killWhileCreating } from './kill-cards.ts';
import { GRANTABLE, LAYOUT, SUBJECTS } from './matrix.ts';
import { newId, type PlantedAgent, plantAgent } from './site.ts';
import { countEffects, openTracker, type Tracker } from './tracker.ts';
import { type AgentClient, overRest } from './ways.ts';

const KEYS = times({ whole: 200, part: 12 });
const DUPLICATES = 50;
const AT_ONCE = 4;
const SEED = Number(env.ERRAND_SEED ?? Date.now() % 1_000_000);

const HOUR = 60 * 60 * 1000;

describe.each(['sqlite', 'postgres'] as const)('an idempotency key on %s', (backend) => {
  let tracker: Tracker;
  let agent: PlantedAgent;
  let client: AgentClient;
  const connect = async (scopes: readonly Scope[] = GRANTABLE): Promise<[PlantedAgent, AgentClient]> => {
    const { store, home, side, server } = tracker;
    const planted = await plantAgent(store, home, [home.project_id, side.project_id], scopes);
    return [planted, await overRest(server.origin).connect(planted.token)];
  };
  const create = (name: string, more: Arguments = {}, by: AgentClient = client) =>
    by.call('tasker_create_issue', { project_id: tracker.home.project_id, name, idempotency_key: name, ...more });
  const named = async (name: string): Promise<number> => {
    const [row] = await tracker.database.rows('select count(*) as n from work_items where title = ?', [name]);
    return Number(row?.n);
  };
  const age = (key: string, ms: number): Promise<void> =>
    tracker.force(`update answers set expires_at = expires_at - ${ms} where key = ?`, key);

  beforeAll(async () => {
    tracker = await openTracker(backend);
    [agent, client] = await connect();
  });
  afterAll(async () => {
    await tracker?.[Symbol.asyncDispose]();
  });

  it(`[TSK-38, TSK-39, TSK-41] has one effect, however often it comes at once: ${DUPLICATES} × ${KEYS}`, async () => {
    const names = Array.from({ length: KEYS }, (_, index) => `duplicate ${index}`);
    const faults: string[] = [];
    const play = async (name: string): Promise<void> => {
      const answers = await Promise.all(Array.from({ length: DUPLICATES }, () => create(name)));
      const ids = answers.flatMap((answer) => (answer.ok ? [(answer.value.issue as { id: string }).id] : []));
      const codes = answers.flatMap((answer) => (answer.ok ? [] : [answer.error.code]));
      if (new Set(ids).size !== 1) faults.push(`${name}: answered as ${[...new Set(ids)].join(', ')}`);
      faults.push(...codes.filter((code) => code !== 'idempotency_key_in_progress'));
    };

    for (let at = 0; at < KEYS; at += AT_ONCE) await Promise.all(names.slice(at, at + AT_ONCE).map(play));

    expect(faults).toEqual([]);
    const [made] = await tracker.database.rows(
      `select count(*) as n, count(distinct title) as names from work_items where title like 'duplicate %'`,
    );
    expect(made).toEqual({ n: KEYS, names: KEYS });
  });

  it('[TSK-39, TSK-41] has one effect when it comes to two servers of the same data at once', async () => {
    await using other = await serve(tracker.place);
    const clients = [client, await overRest(other.origin).connect(agent.token)];
    const names = Array.from({ length: 20 }, (_, index) => `twofold ${index}`);

    const answers = await Promise.all(
      names.flatMap((name) => Array.from({ length: 20 }, (_, index) => create(name, {}, clients[index % 2]))),
    );

    const codes = new Set(answers.map((answer) => (answer.ok ? 'ok' : answer.error.code)));
    expect([...codes].filter((code) => code !== 'ok' && code !== 'idempotency_key_in_progress')).toEqual([]);
    const [made] = await tracker.database.rows(
      `select count(*) as n, count(distinct title) as names from work_items where title like 'twofold %'`,
    );
    expect(made).toEqual({ n: names.length, names: names.length });
  });

  it('[TSK-37] is demanded by every tool that writes, and by none that reads', async () => {
    const effects = await countEffects(tracker.database);
    for (const { tool } of SUBJECTS) {
      const writes = tool.effect !== 'read';
      expect([tool.name, 'idempotency_key' in tool.input.shape]).toEqual([tool.name, writes]);
      if (!writes) continue;
      const answer = await client.call(tool.name, {});
      expect(answer, tool.name).toMatchObject({ ok: false, error: { code: 'validation_error' } });
      expect(JSON.stringify(answer), tool.name).toContain('idempotency_key');
    }

    expect(await countEffects(tracker.database)).toBe(effects);
  });

  it('[TSK-40] with other arguments, or for another tool, is a conflict that changes nothing', async () => {
    await create('taken');
    const effects = await countEffects(tracker.database);

    const answers = [
      await create('another', { idempotency_key: 'taken' }),
      await create('taken', { priority: 'high' }),
      await create('taken', { project_id: tracker.side.project_id }),
      await client.call('tasker_append_comment', {
        issue_id: tracker.home.issue_id,
        comment_html: '<p>Hello</p>',
        idempotency_key: 'taken',
      }),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ ok: false, error: { code: 'idempotency_key_conflict', retryable: false } });
    }
    expect(await countEffects(tracker.database)).toBe(effects);
  });

  it('[TSK-39] with the same content in another order or form answers the first result', async () => {
    const first = await create('shuffled', { priority: 'low', detail_layout: LAYOUT });

    const again = await client.call('tasker_create_issue', {
      detail_layout: JSON.stringify(LAYOUT),
      idempotency_key: 'shuffled',
      parent_id: null,
      priority: 'low',
      name: 'shuffled',
      project_id: tracker.home.project_id,
    });

    expect(again).toEqual(first);
    expect(first.ok).toBe(true);
    expect(await named('shuffled')).toBe(1);
  });

  it('[TSK-38] is kept for 24 hours by the clock of the store, and free after them', async () => {
    const first = await create('daily');

    // A minute on either side: the clock of the database goes on while the test runs.
    await age('daily', 24 * HOUR - 60_000);
    const replayed = await create('daily');
    await age('daily', 120_000);
    const executed = await create('daily');

    expect(replayed).toEqual(first);
    expect(executed.ok).toBe(true);
    expect(executed).not.toEqual(first);
    expect(await named('daily')).toBe(2);
  });

  it('[TSK-42] is free again after a failed write, whatever the reason', async () => {
    const { neighbour } = tracker;
    const failures = [
      await create('released', { state_id: neighbour.states.started }),
      await create('released', { project_id: neighbour.project_id }),
      await create('released', { start_date: '2026-02-30' }),
      await create('released', { description_html: 'x'.repeat(100_001) }),
    ];

    const made = await create('released');

    expect(failures.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(made).toMatchObject({ ok: true });
    expect(await named('released')).toBe(1);
  });

  it('[TSK-41] is in progress while the first call runs, and the answer asks for a retry', async () => {
    const [key, now] = ['running', Date.now()];
    const call = { principal_id: agent.agent_id, key, project_id: null };
    const record = { ...call, result: null, created_at: now };
    const first = await create('probe');
    const kept = await tracker.store.reads.idempotency.find(agent.agent_id, 'probe');
    const args_hash = String(kept?.args_hash);
    await tracker.store.transaction((tx) => tx.idempotency.put({ ...record, args_hash, expires_at: now + HOUR }));

    const same = await create('probe', { idempotency_key: key });
    const other = await create('something else', { idempotency_key: key });

    expect(first.ok).toBe(true);
    expect(same).toMatchObject({
      ok: false,
      error: { code: 'idempotency_key_in_progress', retryable: true, retry_after_ms: expect.any(Number) },
    });
    expect(other).toMatchObject({ ok: false, error: { code: 'idempotency_key_conflict' } });
    expect(await named('probe')).toBe(1);
  });

  it('[TSK-43] of one agent has no effect for another', async () => {
    const [, stranger] = await connect();
    const mine = await create('shared name');

    const theirs = await create('shared name', {}, stranger);

    expect([mine.ok, theirs.ok]).toEqual([true, true]);
    expect(theirs).not.toEqual(mine);
    expect(await named('shared name')).toBe(2);
  });

  it('[TSK-16, TSK-39] replays nothing after the grant was removed, also when another grant is left', async () => {
    const [{ agent_id }, other] = await connect();
    const [issue_key, comment_key] = [newId(), newId()];
    const comment = { issue_id: tracker.home.issue_id, comment_html: '<p>Before</p>', idempotency_key: comment_key };
    const session = { issue_id: tracker.home.issue_id, idempotency_key: newId() };
    await create('while granted', { idempotency_key: issue_key }, other);
    expect(await other.call('tasker_append_comment', comment)).toMatchObject({ ok: true });
    expect(await other.call('tasker_start_work_session', session)).toMatchObject({ ok: true });
    await tracker.store.transaction((tx) =>
      tx.agents.removeGrant(tracker.home.workspace_id, agent_id, tracker.home.project_id),
    );

    const again = [
      await create('while granted', { idempotency_key: issue_key }, other),
      await other.call('tasker_append_comment', comment),
      await other.call('tasker_start_work_session', session),
    ];

    expect(again.map((answer) => (answer.ok ? 'ok' : answer.error.code))).toEqual([
      'project_not_granted',
      expect.stringMatching(/^(?:project_not_granted|not_found)$/),
      expect.stringMatching(/^(?:project_not_granted|not_found)$/),
    ]);
  });
});

describe('cards that are created while the server is killed', () => {
  const CYCLES = Number(env.ERRAND_TASKER_KILL_CYCLES ?? times({ whole: 1_000, part: 4 }));

  it.each(['sqlite', 'postgres'] as const)(
    `[TSK-38, TSK-39] are there once each after ${CYCLES} kills, on %s (seed ${SEED})`,
    async (backend) => {
      await using place = await openPlace(backend);

      const verdict = await killWhileCreating(place, { cycles: CYCLES, seed: SEED });

      expect(verdict.faults).toEqual([]);
      expect(verdict.productive).toBeGreaterThan(CYCLES / 2);
      expect(await verifyChain(place.data, place.database_url)).toBe(true);
    },
    120_000 + CYCLES * 3_000,
  );

  // The counterpart of the test above: a loop that cannot detect this fault would prove nothing.
  it.runIf(IS_LONG)(
    'are found twice when keys are not looked up',
    async () => {
      await using place = await openPlace('sqlite');

      const verdict = await killWhileCreating(place, { plant: 'no lookup', cycles: 40, seed: SEED });

      expect(verdict.faults).not.toEqual([]);
    },
    120_000,
  );
});
