import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from './site.ts';
import { feedOf, isAsking, openStage, type Stage, type Started } from './stage.ts';
import { type BoardClient, OTHER_WAYS, overStdio, WAYS, type Way } from './ways.ts';

const [first = expect.unreachable()] = WAYS;
const EVERY_WAY = [...WAYS, ...OTHER_WAYS];

let site: Site;
let stage: Stage;
/** `own` is an attempt whose agent waits, `token` is that of its run, `other` is an attempt at another task. */
let own: Started;
let other: Started;
let token: string;

beforeAll(async () => {
  site = await openSite('sqlite');
  stage = await openStage(site, first, await first.connect(site, site.token));
  other = await stage.start(['say other']);
  const surroundings = join(site.folder, 'own.json');
  own = await stage.start([`dump-env ${surroundings}`, 'mcp get_context', 'ask Go on?'], { executor: 'asking' });
  await stage.rested(other.attempt_id);
  await stage.until(own.attempt_id, isAsking);
  token = (JSON.parse(await readFile(surroundings, 'utf8')) as { readonly ERRAND_TOKEN: string }).ERRAND_TOKEN;
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
});

/** Returns the expected answer of get_context for the attempt. */
const context = async () => ({
  project_id: stage.project_id,
  project_key: expect.stringMatching(/^[A-Z0-9]+$/),
  project_name: expect.stringMatching(/^Shop /),
  task_id: own.task_id,
  task_key: expect.stringMatching(/^[A-Z0-9]+-\d+$/),
  task_title: 'Greet',
  task_status: 'inprogress',
  attempt_id: own.attempt_id,
  attempt_key: expect.stringMatching(/^[A-Z0-9]+-\d+\.1$/),
  execution_id: own.execution_id,
  workspace_branch: (await stage.call('get_attempt', { attempt_id: own.attempt_id })).workspace_branch,
  workspace_repos: [{ repo_id: stage.repo_id, repo_name: 'shop', target_branch: 'main' }],
});

describe('an agent that Errand runs', () => {
  it('[B-CTX-1, B-CTX-S1] gets its context from the server that it was given', async () => {
    const said = (await feedOf(site, own.execution_id)).find((line) => line.startsWith('{')) ?? '';

    expect(JSON.parse(said)).toEqual(await context());
  });

  it('[B-TOOLS-2, B-CTX-S1] passes its context to the programs that it starts, also under another user', async () => {
    const way = overStdio('2025-11-25', { NOVA_EXECUTION_ID: own.execution_id });
    await using client = await way.connect(site, site.token);

    const shown = (await client.list()).map(({ name }) => name);
    const answer = await client.call('get_context', {});
    const wide = await client.call('get_task', { task_id: other.task_id });

    expect(shown).toContain('get_context');
    expect(answer).toEqual({ ok: true, value: await context() });
    expect(wide).toMatchObject({ ok: true });
  });
});

describe.concurrent.each(EVERY_WAY)('an agent that Errand runs, over $name', (way) => {
  let client: BoardClient;
  beforeAll(async () => {
    client = await way.connect(site, token);
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
  });

  it('[B-TOOLS-2, B-CTX-1, B-CTX-S1] sees get_context, which answers its context', async () => {
    const shown = (await client.list()).map(({ name }) => name);
    const answer = await client.call('get_context', {});

    expect(shown).toContain('get_context');
    expect(answer).toEqual({ ok: true, value: await context() });
  });

  it('sees its own attempt and no other, and cannot start or change any', async () => {
    const { project_id, repo_id } = stage;

    const mine = await client.call('get_attempt', { attempt_id: own.attempt_id });
    const strange = [
      await client.call('get_attempt', { attempt_id: other.attempt_id }),
      await client.call('tail_attempt', { attempt_id: other.attempt_id }),
      await client.call('get_task', { task_id: other.task_id }),
      await client.call('list_task_attempts', { task_id: other.task_id }),
    ];
    const unknown = await client.call('get_task', { task_id: '00000000-0000-4000-8000-000000000000' });
    const start = { task_id: own.task_id, executor: 'scripted', repos: [{ repo_id }] };
    const forbidden = [
      await client.call('start_task_attempt', start),
      await client.call('follow_up', { attempt_id: own.attempt_id, action: 'queue', prompt: 'say more' }),
      await client.call('create_task', { project_id, title: 'More' }),
      await client.call('delete_task', { task_id: own.task_id }),
    ];
    const tasks = await client.call('list_tasks', { project_id });

    expect(mine).toMatchObject({ ok: true, value: { attempt_id: own.attempt_id } });
    for (const answer of [...strange, unknown])
      expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } });
    for (const answer of forbidden) {
      expect(answer).toMatchObject({ ok: false, error: { code: 'insufficient_scope' } });
    }
    expect(tasks).toMatchObject({ ok: true, value: { tasks: [{ task_id: own.task_id }] } });
  });
});

describe('the token of a run', () => {
  beforeAll(async () => {
    const { approvals } = await stage.until(own.attempt_id, isAsking);
    await stage.call('respond_approval', { approval_id: approvals[0]?.approval_id, decision: 'approve' });
    await stage.rested(own.attempt_id);
  });

  const calling = async (way: Way) => {
    await using client = await way.connect(site, token);
    return await client.call('get_context', {});
  };

  it.each(WAYS.filter(({ name }) => !name.includes('stdio')))(
    'is nobody’s once the run has ended, over $name',
    async (way) => {
      expect(await calling(way)).toMatchObject({ ok: false, error: { code: 'unauthenticated' } });
    },
  );

  it('does not work on stdio after the run has ended', async () => {
    // The list of tools may come early, before the program knows the token; the call itself is refused.
    expect(await calling(overStdio('2025-11-25'))).toMatchObject({ ok: false, error: { code: 'unauthenticated' } });
  });
});
