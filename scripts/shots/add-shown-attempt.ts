import { setTimeout } from 'node:timers/promises';
import type { FeedKind } from '../../packages/server/src/domain/run.ts';
import { aStep, begin, branchOf } from './add-runs.ts';
import { gitChanges } from './git-changes.ts';
import type { Harbour } from './harbour.ts';
import { clock, NOW } from './schedule.ts';
import { WEBHOOK_FILES } from './webhook-files.ts';

const FAILURE =
  'Two of 184 tests fail: the dead-letter state is new, and one test expects the old name. I will ask about retention first, then mend them.';

const OUTPUT = `> storefront@4.12.0 test
> vitest run --reporter=dot

 184 tests in 23 files
 ✗ webhooks/retry.spec.ts:41 stops after three days
 ✗ webhooks/store.spec.ts:17 keeps the first answer

AssertionError: expected 'dead' to be 'retrying'
    at webhooks/retry.spec.ts:52:21
    at runTest (vitest/runner:912:11)

 Expected  state: 'retrying'
 Received  state: 'dead'

 182 passed, 2 failed in 39.61 s`;

const STEPS = [
  ['Read the webhook handler', 'completed', '14:02:10', '14:02:58'],
  ['Reproduce the lost event', 'completed', '14:02:58', '14:04:45'],
  ['Add a feature flag', 'skipped', '14:04:45', '14:04:48'],
  ['Add a retry queue with backoff', 'completed', '14:04:48', '14:08:20'],
  ['Run the test suite', 'failed', '14:08:20', '14:09:02'],
  ['Ask how long to keep events', 'completed', '14:09:02', '14:10:24'],
  ['Mend the two broken tests', 'completed', '14:10:24', '14:11:24'],
  ['Write the retry tests', 'running', '14:13:39', ''],
] as const;

/** What the agent did, besides the calls below: calls of these kinds in turn, with some seconds between them. */
const BUSY = [
  { from: '14:02:14', to: '14:02:56', every: 5, kinds: ['tool_call'] },
  { from: '14:03:04', to: '14:04:40', every: 7, kinds: ['tool_call', 'command', 'tool_call', 'edit'] },
  { from: '14:04:52', to: '14:08:12', every: 3, kinds: ['edit', 'tool_call', 'edit', 'tool_call', 'edit', 'command'] },
  { from: '14:10:34', to: '14:11:20', every: 5, kinds: ['tool_call', 'edit'] },
] as const satisfies readonly { from: string; to: string; every: number; kinds: readonly FeedKind[] }[];

const PATHS = Object.keys(WEBHOOK_FILES);

function wordsOf(kind: FeedKind, n: number): string {
  const path = PATHS[n % PATHS.length] ?? '';
  if (kind === 'edit') return `${path} +${(n % 7) + 1} −${n % 4}`;
  if (kind === 'command') return `npx vitest run ${path.startsWith('test') ? path : 'test/webhooks'}`;
  return n % 3 === 0 ? `Grep webhook_events in ${path.split('/')[0]}` : `Read ${path}`;
}

const SAID: readonly (readonly [at: string, kind: FeedKind, text: string])[] = [
  ['14:02:12', 'message', 'I read the task and its criteria first.'],
  ['14:02:59', 'message', 'Reproduce the lost event'],
  ['14:04:49', 'message', 'Retry queue with backoff'],
  ['14:08:20', 'message', 'Retention, and two broken tests'],
  ['14:08:21', 'command', 'npm test -- --reporter=dot'],
  ['14:09:01', 'output', OUTPUT],
  ['14:10:31', 'edit', 'src/webhooks/retry.ts +11 −3'],
  ['14:10:58', 'edit', 'test/webhooks/store.spec.ts +4 −4'],
  ['14:11:24', 'tool_call', 'update_step Mend the two broken tests: completed'],
  [
    '14:13:44',
    'message',
    "I use `table('webhook_events')` from the test helpers. First the schedule itself, then one test per answer: 500, 503, a timeout, and a handler that throws.",
  ],
  ['14:13:52', 'tool_call', 'get_context SHOP-142, 5 criteria, 1 message'],
  ['14:14:11', 'edit', 'test/webhooks/retry.spec.ts +64 −0'],
  ['14:14:40', 'command', 'npx vitest run test/webhooks'],
];

/** By then an answer counts as delivered. */
const DELIVERED_AFTER_MS = 1_000;

/** Writes down the attempts at SHOP-142, of which the second one is shown on the pages of an attempt. */
export function addShownAttempt(harbour: Harbour, folder: string): void {
  const { schedule, as, worker, world } = harbour;
  let taken: Awaited<ReturnType<typeof begin>> | undefined;
  const run = () => {
    if (taken === undefined) throw new Error('SHOP-142 has not begun');
    return taken;
  };
  const say = (kind: FeedKind, text: string) => worker.log.write(run(), [{ type: 'feed', kind, text }]);

  let first: Awaited<ReturnType<typeof begin>> | undefined;
  schedule.at(clock('13:16:12'), async () => {
    first = await begin(harbour, { project: 'SHOP', task: 142, agent: 'kite' });
  });
  schedule.at(clock('13:57:20'), async () => {
    if (first === undefined) throw new Error('not begun');
    await as('Ana Ruiz', 'stop_attempt', { attempt_id: 'SHOP-142.1' });
    await worker.finish(first, { status: 'killed', reason: 'stopped', summary: null }, []);
  });
  schedule.at(clock('13:58:10'), () =>
    as('Ana Ruiz', 'tasker_append_comment', {
      issue_id: 'SHOP-142',
      comment_html:
        '<p>Kite built a second queue next to the one we have. Please start again on a new branch and use <code>src/jobs</code>.</p>',
    }),
  );

  schedule.at(clock('13:59:00'), () => as('Ana Ruiz', 'update_task', { task_id: 'SHOP-142', status: 'todo' }));

  schedule.at(clock('14:02:10'), async () => {
    taken = await begin(harbour, { project: 'SHOP', task: 142, agent: 'atlas', claim: clock('14:19:10') });
    await worker.log.write(taken, [
      { type: 'session', agent_session_id: 'cc_9f1d27a4' },
      {
        type: 'plan',
        entries: [
          ...STEPS.map(([content]) => ({ content, status: 'completed' as const })),
          { content: 'Run the whole test suite', status: 'pending' },
          { content: 'Update the runbook', status: 'pending' },
        ],
      },
    ]);
  });
  const step = aStep(harbour, run);
  for (const [name, status, from, to] of STEPS) {
    schedule.at(clock(from), () => step(name, 'running'));
    if (status !== 'running') schedule.at(clock(to), () => step(name, status, status === 'failed' ? FAILURE : null));
  }
  BUSY.forEach(({ from, to, every, kinds }) => {
    for (let at = clock(from), n = 0; at <= clock(to); at += every * 1_000, n += 1) {
      const kind = kinds[n % kinds.length] ?? 'tool_call';
      schedule.at(at, () => say(kind, wordsOf(kind, n)));
    }
  });
  for (const [at, kind, text] of SAID) schedule.at(clock(at), () => say(kind, text));

  schedule.at(clock('14:09:02'), () =>
    worker.log.ask(run(), {
      kind: 'question',
      question: 'How long should failed events be kept: three days, or until someone deletes them?',
      details: null,
      options: '[]',
    }),
  );
  schedule.at(clock('14:10:24'), () =>
    as('Ana Ruiz', 'respond_approval', { approval_id: 'SHOP-142.2', answer: 'Three days, as in the criteria.' }),
  );

  const tick = async (at: number): Promise<void> => {
    const { detail_layout } = await as('Ana Ruiz', 'tasker_get_issue', {
      issue_id: 'SHOP-142',
      include: ['blocks'],
    }).then(
      // As the tool declares it.
      ({ issue }) =>
        issue as { detail_layout: { nodedc_structured_blocks: { blocks: { items: { id: string }[] }[] } } },
    );
    const item = detail_layout.nodedc_structured_blocks.blocks[0]?.items[at];
    await as('atlas', 'tasker_update_structured_blocks', {
      issue_id: 'SHOP-142',
      action: 'update_checker_item',
      item_id: item?.id,
      checked: true,
    });
  };
  schedule.at(clock('14:06:10'), () => tick(0));
  schedule.at(clock('14:08:05'), () => tick(1));

  schedule.at(clock('14:13:20'), () =>
    as('Ana Ruiz', 'send_message', {
      attempt_id: 'SHOP-142.2',
      text: 'In the tests, use the table helper rather than raw SQL.',
    }),
  );
  schedule.at(clock('14:13:39'), async () => {
    const tool = world.gateway.find('get_context', 'all');
    if (tool === undefined) throw new Error('no get_context');
    const call = async () => {
      harbour.time.now += 1;
      const caller = await world.gateway.authenticate(run().secret);
      await world.gateway.dispatch({ caller, tool, input: {}, transport: 'mcp-http', carries: true });
    };
    // The answer to the first call delivers the message, a while after it was sent; the next call shows that it was read.
    await call();
    await setTimeout(DELIVERED_AFTER_MS);
    await call();
  });
  schedule.at(clock('14:14:20'), () =>
    as('Ana Ruiz', 'follow_up', {
      attempt_id: 'SHOP-142.2',
      action: 'queue',
      prompt: 'Cover the 429 answer too, please.',
    }),
  );
  schedule.at(clock('14:14:42'), async () => {
    await worker.noteRepos(run(), [branchOf(harbour, 'SHOP', run(), gitChanges(folder, WEBHOOK_FILES))]);
    await worker.log.write(run(), [
      { type: 'usage', usage: { input_tokens: 412_806, output_tokens: 28_114, cost_usd: 2.41 } },
    ]);
  });
  schedule.at(NOW - 2_000, async () => {
    const comment = { attempt_id: 'SHOP-142.2', path: 'src/webhooks/retry.ts', line: 10 };
    await as('Ana Ruiz', 'add_review_comment', {
      ...comment,
      text: 'Same event twice within a second: does the insert fail, or do we enqueue it twice?',
    });
    await as('Ana Ruiz', 'add_review_comment', {
      attempt_id: 'SHOP-142.2',
      path: 'test/webhooks/retry.spec.ts',
      line: 4,
      text: 'Add 429 to this list.',
    });
  });
}
