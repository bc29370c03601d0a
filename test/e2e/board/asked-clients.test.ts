import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, serve } from '../program.ts';
import { openTap } from '../tasks-tap.ts';
import type { Backend } from '../world.ts';
import { ASKED_CLIENTS } from './asked-clients.ts';
import { openSite, type Site } from './site.ts';
import { openStage, type Stage } from './stage.ts';
import { WAYS } from './ways.ts';

const [plain = expect.unreachable()] = WAYS;
const BACKENDS: readonly Backend[] = ['postgres', 'sqlite'];
/** On a busy machine a heartbeat comes late, and the other server would end the runs of this one. */
const PATIENT = { runner: { max_runs: 50, lease_ms: 300_000 } };

describe.concurrent.each(BACKENDS)('an agent that asks, with two servers on one %s behind a balancer', (backend) => {
  let site: Site;
  let second: Server;
  let stage: Stage;
  beforeAll(async () => {
    site = await openSite(backend, { config: PATIENT });
    second = await serve(site.place);
    stage = await openStage(site, plain, await plain.connect(site, site.token));
  });
  afterAll(async () => {
    await second?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  // A stdio client has its own process, so one database is enough.
  const clients = ASKED_CLIENTS.filter(([name]) => backend === 'sqlite' || name.endsWith('HTTP'));

  it.each(clients)('[A8, B4, A4] is answered by the user of %s, who is asked once', async (_name, connect) => {
    // One tap per client: each client counts its own message ids.
    await using balancer = await openTap(`${site.origin}/mcp/board`, `${second.origin}/mcp/board`);
    await using client = await connect({ url: balancer.url, place: site.place, token: site.token });
    const task_id = await stage.task();
    const call = {
      task_id,
      executor: 'asking',
      prompt: 'ask Run the tests?\nwrite a.txt Hello\nsay All green.',
      repos: [{ repo_id: stage.repo_id }],
    };

    const { status, reason, questions } = await client.run('start_task_attempt', call, 'yes');

    const { latest_attempt_id } = await stage.call('list_task_attempts', { task_id });
    expect(status, reason).toBe('completed');
    expect(questions).toEqual([expect.stringContaining('Run the tests?')]);
    expect((await stage.said(String(latest_attempt_id))).join(' ')).toContain('All green.');
    expect(balancer.wire.violations).toEqual([]);
  });
});
