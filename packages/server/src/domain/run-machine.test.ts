import { describe, expect, it } from 'vitest';
import type { AttemptId, ProjectId, RunId, SessionId, TokenId, UserId, WorkspaceId } from './ids.ts';
import type { QueuedRun } from './queued-run.ts';
import { newRun, RunStatus } from './run.ts';
import {
  advance,
  type EarlyEnd,
  endingOf,
  type RunEvent,
  type RunState,
  reportedStatus,
  stateOf,
  strongerEnd,
  TRANSITIONS,
} from './run-machine.ts';

const NOW = 1_000;

const RUN = newRun({
  kind: 'agent',
  id: 'r1' as RunId,
  workspace_id: 'w1' as WorkspaceId,
  project_id: 'p1' as ProjectId,
  work_item_id: 'i1',
  user_id: 'u1' as UserId,
  agent_id: null,
  status: 'queued',
  started_at: 1,
});

const QUEUED: QueuedRun = {
  execution_id: RUN.id,
  attempt_id: 'a1' as AttemptId,
  session_id: 's1' as SessionId,
  executor: 'scripted',
  variant: null,
  prompt: 'Mend it.',
  epoch: 4,
  worker_id: null,
  lease_until: null,
  host_id: null,
  spawned_at: null,
  boot_id: null,
  pid: null,
  pid_started: null,
  stop_requested_at: null,
  stop_reason: null,
  token_id: null,
  run: RUN,
};

const HELD = { worker_id: 'worker-1', host_id: 'host-1', lease_until: 500, token_id: 't1' as TokenId };
const CLAIMED: QueuedRun = { ...QUEUED, ...HELD, epoch: 5, run: { ...RUN, status: 'running', seen_at: 10 } };
const STARTED: QueuedRun = { ...CLAIMED, spawned_at: 20 };

const IN: Readonly<Record<RunState, QueuedRun>> = {
  queued: QUEUED,
  claimed: CLAIMED,
  claimed_stopping: { ...CLAIMED, stop_requested_at: 30 },
  started: STARTED,
  started_stopping: { ...STARTED, stop_requested_at: 30 },
  ended: { ...STARTED, worker_id: null, lease_until: null, run: { ...STARTED.run, status: 'failed', ended_at: 40 } },
};

const EVENTS: { readonly [Type in RunEvent['type']]: RunEvent & { readonly type: Type } } = {
  claim: { type: 'claim', worker_id: 'worker-2', host_id: 'host-2', lease_until: 2_000, token_id: 't2' as TokenId },
  deny: { type: 'deny' },
  begin_process: { type: 'begin_process' },
  note_process: { type: 'note_process', process: { pid: 7, pid_started: 'then', boot_id: 'boot' } },
  renew: { type: 'renew', lease_until: 2_000 },
  stop: { type: 'stop' },
  finish: { type: 'finish', ending: { status: 'completed', reason: null, summary: 'Done.' } },
  take_over: { type: 'take_over', worker_id: 'worker-2', lease_until: 2_000 },
  give_up: { type: 'give_up', reason: 'gone' },
};

/** What an event changes of a run in a state: null when it is refused, and nothing for fields that stay. */
function changes(state: RunState, type: RunEvent['type']): object | null {
  const before = IN[state];
  const after = advance(before, EVENTS[type], NOW);
  if (after === null) return null;
  const differing = (a: object, b: object): object =>
    Object.fromEntries(Object.entries(b).filter(([name, value]) => a[name as keyof typeof a] !== value));
  const { run: _, ...rest } = differing(before, after) as { run?: unknown };
  return { ...rest, ...differing(before.run, after.run) };
}

const ENDED = { worker_id: null, lease_until: null, epoch: 6, seen_at: NOW, ended_at: NOW };
const COMPLETED = { ...ENDED, status: 'completed', summary: 'Done.' };
const KILLED = { ...ENDED, status: 'killed', reason: 'stopped' };
const NEVER_HELD = { epoch: 5, seen_at: NOW, ended_at: NOW, status: 'killed' };
const NOTED = { pid: 7, pid_started: 'then', boot_id: 'boot' };
const RENEWED = { lease_until: 2_000 };
const TAKEN = { worker_id: 'worker-2', lease_until: 2_000, epoch: 6 };

type Writes = Readonly<Record<RunEvent['type'], object | null>>;

const REFUSED: Writes = {
  claim: null,
  deny: null,
  begin_process: null,
  note_process: null,
  renew: null,
  stop: null,
  finish: null,
  take_over: null,
  give_up: null,
};

const WRITES: Readonly<Record<RunState, Writes>> = {
  queued: {
    ...REFUSED,
    claim: { ...TAKEN, epoch: 5, host_id: 'host-2', token_id: 't2', status: 'running', seen_at: NOW },
    deny: { ...NEVER_HELD, reason: 'the person or agent who asked for it may no longer run agents here' },
    stop: { ...NEVER_HELD, reason: 'stopped' },
  },
  claimed: {
    ...REFUSED,
    begin_process: { spawned_at: NOW },
    note_process: NOTED,
    renew: RENEWED,
    stop: { stop_requested_at: NOW, stop_reason: 'stopped' },
    finish: COMPLETED,
    take_over: TAKEN,
    give_up: { worker_id: null, lease_until: null, host_id: null, token_id: null, epoch: 6, status: 'queued' },
  },
  claimed_stopping: {
    ...REFUSED,
    note_process: NOTED,
    renew: RENEWED,
    stop: {},
    finish: COMPLETED,
    take_over: TAKEN,
    give_up: KILLED,
  },
  started: {
    ...REFUSED,
    begin_process: {},
    note_process: NOTED,
    renew: RENEWED,
    stop: { stop_requested_at: NOW, stop_reason: 'stopped' },
    finish: COMPLETED,
    take_over: TAKEN,
    give_up: { ...ENDED, status: 'interrupted', reason: 'gone' },
  },
  started_stopping: {
    ...REFUSED,
    note_process: NOTED,
    renew: RENEWED,
    stop: {},
    finish: COMPLETED,
    take_over: TAKEN,
    give_up: KILLED,
  },
  ended: { ...REFUSED, stop: {} },
};

const states = Object.keys(IN) as RunState[];
const types = Object.keys(EVENTS) as RunEvent['type'][];

describe('a run that must stop', () => {
  const over: RunEvent = { type: 'stop', why: 'budget_exceeded', budget: '5.02 of 5 USD a run' };
  const ofBudget = advance(STARTED, over, NOW);
  const ending = (entry: QueuedRun | null, event: RunEvent) => {
    const { status, reason } = (entry && advance(entry, event, NOW)?.run) ?? {};
    return [status, reason];
  };

  it('[L-BUDGET] for its budget fails with the budget, however its worker ends it', () => {
    const budget = ['failed', 'budget_exceeded: 5.02 of 5 USD a run'];

    expect(ending(ofBudget, EVENTS.finish)).toEqual(budget);
    expect(ending(ofBudget, EVENTS.give_up)).toEqual(budget);
    expect(ending(IN.queued, { type: 'deny', budget: '5.02 of 5 USD a run' })).toEqual(budget);
    expect(advance(ofBudget as QueuedRun, EVENTS.stop, NOW)).toBe(ofBudget);
  });

  it('for new words is killed, unless a person or a budget stops it', () => {
    const steered = advance(STARTED, { type: 'stop', why: 'steered' }, NOW) as QueuedRun;

    expect(ending(steered, EVENTS.give_up)).toEqual(['killed', 'interrupted for new words']);
    expect(advance(steered, EVENTS.stop, NOW)).toMatchObject({ stop_reason: 'stopped' });
    expect(advance(steered, over, NOW)).toMatchObject({ stop_reason: 'budget_exceeded' });
    expect(advance(steered, { type: 'stop', why: 'steered' }, NOW)).toBe(steered);
  });
});

describe('a run that Errand starts', () => {
  it.each(states)('is known to be %s from its stored fields', (state) => {
    expect(stateOf(IN[state])).toBe(state);
  });

  it.each(states.flatMap((state) => types.map((type) => [state, type] as const)))('%s takes %s', (state, type) => {
    const after = advance(IN[state], EVENTS[type], NOW);

    expect(changes(state, type)).toEqual(WRITES[state][type]);
    expect(after === null ? undefined : stateOf(after)).toBe(TRANSITIONS[state][type]);
  });

  it('is the very same run when a stop changes nothing', () => {
    for (const state of ['claimed_stopping', 'started_stopping', 'ended'] as const) {
      expect(advance(IN[state], EVENTS.stop, NOW)).toBe(IN[state]);
    }
  });

  it('keeps the summary that its agent reported, and the time of the latest report', () => {
    const run = { ...STARTED.run, summary: 'As I said.', seen_at: 9_000 };

    const after = advance({ ...STARTED, run }, EVENTS.finish, NOW);

    expect(after?.run).toMatchObject({ summary: 'As I said.', seen_at: 9_000, ended_at: NOW });
  });
});

describe('a worker that ends a run', () => {
  it.each([
    [null, 'stopped', 'stopped'],
    [null, 'shutdown', 'shutdown'],
    [null, 'lost', 'lost'],
    ['stopped', 'stopped', 'stopped'],
    ['stopped', 'shutdown', 'stopped'],
    ['stopped', 'lost', 'lost'],
    ['shutdown', 'stopped', 'stopped'],
    ['shutdown', 'shutdown', 'shutdown'],
    ['shutdown', 'lost', 'lost'],
    ['lost', 'stopped', 'lost'],
    ['lost', 'shutdown', 'lost'],
    ['lost', 'lost', 'lost'],
  ] as const)('ended early as %s and then as %s, counts as %s', (current, next, after) => {
    expect(strongerEnd(current, next)).toBe(after);
  });

  const endings = {
    completed: { status: 'completed', reason: null },
    failed: { status: 'failed', reason: 'x' },
  } as const;
  const UNCOMMITTED = { status: 'failed', reason: 'its changes could not be committed' };
  const STOPPED = { status: 'killed', reason: 'stopped' };
  const SHUT_DOWN = { status: 'interrupted', reason: 'the worker that ran it was stopped' };

  it.each<readonly ['completed' | 'failed', EarlyEnd | null, boolean, object]>([
    ['completed', null, true, endings.completed],
    ['completed', null, false, UNCOMMITTED],
    ['completed', 'stopped', true, STOPPED],
    ['completed', 'stopped', false, STOPPED],
    ['completed', 'shutdown', true, SHUT_DOWN],
    ['completed', 'shutdown', false, SHUT_DOWN],
    ['failed', null, true, endings.failed],
    ['failed', null, false, endings.failed],
    ['failed', 'stopped', true, STOPPED],
    ['failed', 'stopped', false, STOPPED],
    ['failed', 'shutdown', true, SHUT_DOWN],
    ['failed', 'shutdown', false, SHUT_DOWN],
  ])('of an agent that %s, ended early as %s, committed %s', (status, early_end, is_committed, written) => {
    expect(endingOf(endings[status], { early_end, is_committed })).toEqual(written);
  });
});

describe('a report', () => {
  const reports = [undefined, ...RunStatus.options] as const;
  const over = ['completed', 'failed', 'killed', 'interrupted'] as const;

  it.each(RunStatus.options.flatMap((before) => reports.map((status) => [before, status] as const)))(
    "of Errand's own run that is %s may not set its status to %s, unless it has it",
    (before, status) => {
      const refused = over.some((one) => one === before) ? 'has_ended' : 'is_own';

      const after = reportedStatus({ kind: 'agent', status: before }, status);

      expect(after).toEqual(status === undefined || status === before ? { status: before } : { refused });
    },
  );

  it.each([
    ['queued', undefined, { status: 'running' }],
    ['queued', 'queued', { status: 'queued' }],
    ['queued', 'running', { status: 'running' }],
    ['running', undefined, { status: 'running' }],
    ['running', 'queued', { refused: 'goes_back' }],
    ['running', 'running', { status: 'running' }],
    ...over.flatMap((end) => [
      ['queued', end, { status: end }] as const,
      ['running', end, { status: end }] as const,
      [end, undefined, { status: end }] as const,
    ]),
    ...over.flatMap((end) =>
      RunStatus.options.map(
        (status) => [end, status, status === end ? { status: end } : { refused: 'has_ended' }] as const,
      ),
    ),
  ] as const)('from elsewhere on a run that is %s, naming %s', (before, status, after) => {
    expect(reportedStatus({ kind: 'external', status: before }, status)).toEqual(after);
  });
});
