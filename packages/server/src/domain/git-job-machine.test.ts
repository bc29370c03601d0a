import { describe, expect, it } from 'vitest';
import { type GitJob, NOT_TAKEN } from './git-job.ts';
import {
  advanceGitJob,
  GIT_JOB_TRANSITIONS,
  type GitJobEvent,
  type GitJobState,
  gitJobState,
} from './git-job-machine.ts';

const LEASE = { worker_id: 'worker-2', host_id: 'host-2', lease_until: 50 };

const EVENTS: { readonly [Type in GitJobEvent['type']]: Extract<GitJobEvent, { type: Type }> } = {
  take: { type: 'take', ...LEASE },
  renew: { type: 'renew', lease_until: 60 },
  commit: { type: 'commit', plan: '[1]' },
  wait: { type: 'wait', result: '{"reason":"away"}', lease_until: 70 },
  requeue: { type: 'requeue' },
  take_over: { type: 'take_over', ...LEASE },
  end: { type: 'end', status: 'refused', result: '{}' },
};

const HELD: Partial<GitJob> = {
  status: 'running',
  worker_id: 'worker-1',
  host_id: 'host-1',
  lease_until: 40,
  epoch: 4,
};

const STATES: Readonly<Record<GitJobState, Partial<GitJob>>> = {
  queued: {},
  running: HELD,
  committing: { ...HELD, phase: 'committing', plan: '[2]' },
  ended: { status: 'done', epoch: 6, ended_at: 7 },
};

// Only the fields that the machine reads or writes.
const jobIn = (state: GitJobState): GitJob =>
  ({
    ...NOT_TAKEN,
    host_id: null,
    ...STATES[state],
  }) as GitJob;

const states = Object.keys(STATES) as readonly GitJobState[];
const types = Object.keys(EVENTS) as readonly GitJobEvent['type'][];

describe('the life of a git job', () => {
  it.each(states)('takes in the state %s the listed events and no others', (state) => {
    for (const type of types) {
      const after = advanceGitJob(jobIn(state), EVENTS[type], 99);
      expect([type, after && gitJobState(after)]).toEqual([type, GIT_JOB_TRANSITIONS[state][type] ?? null]);
    }
  });

  it('never goes back once branches may have moved', () => {
    expect(Object.keys(GIT_JOB_TRANSITIONS.committing).toSorted()).toEqual(['end', 'renew', 'take_over', 'wait']);
  });

  it.each([
    ['queued', 'take'],
    ['running', 'requeue'],
    ['running', 'end'],
    ['committing', 'wait'],
    ['committing', 'take_over'],
    ['committing', 'end'],
  ] as const)('raises the epoch of a %s job with %s, so that the worker before can write no more', (state, type) => {
    const before = jobIn(state);

    expect(advanceGitJob(before, EVENTS[type], 99)?.epoch).toBe(before.epoch + 1);
  });

  it('keeps the plan when another worker takes a job over', () => {
    expect(advanceGitJob(jobIn('committing'), EVENTS.take_over, 99)).toMatchObject({
      ...LEASE,
      plan: '[2]',
      phase: 'committing',
    });
  });

  it('writes the answer and the time of the end, and holds no worker then', () => {
    expect(advanceGitJob(jobIn('running'), EVENTS.end, 99)).toMatchObject({
      status: 'refused',
      result: '{}',
      ended_at: 99,
      worker_id: null,
      lease_until: null,
    });
  });
});
