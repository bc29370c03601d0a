import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import type { AgentId, AttemptId, ProjectId, UserId, WorkspaceId } from './ids.ts';
import { everywhere, type Reach } from './reach.ts';
import type { RunOwner } from './run.ts';
import { readableRuns, reportableRuns } from './run-visibility.ts';
import type { Scope } from './scope.ts';

const HOME = 'home' as WorkspaceId;
const ann = 'ann' as UserId;
const bob = 'bob' as UserId;
const robot = 'robot' as AgentId;
const other = 'other' as AgentId;
const shop = 'shop' as ProjectId;
const first = 'first' as AttemptId;
const second = 'second' as AttemptId;

const inShop = (...scopes: Scope[]): Reach => new Map([[shop, everywhere(scopes)]]);
const nowhere: Reach = new Map();

const caller = (
  kind: Caller['kind'],
  user_id: UserId,
  agent_id: AgentId | null,
  reach: Reach,
  ...held: Scope[]
): Caller =>
  // Only these decide which runs are seen.
  ({
    kind,
    workspace_id: HOME,
    user_id,
    agent_id,
    attempt_id: null,
    reach,
    principal_id: kind,
    scopes: new Set(held),
  }) as unknown as Caller;

const inAttempt = (attempt_id: AttemptId): Caller => ({
  ...caller('attempt', ann, null, inShop('board:read'), 'board:read', 'execution:report'),
  attempt_id,
});

const run = (
  user_id: UserId,
  agent_id: AgentId | null,
  project_id: ProjectId | null = null,
  service_id: string | null = null,
): RunOwner => ({
  workspace_id: HOME,
  user_id,
  agent_id,
  service_id,
  project_id,
  attempt_id: null,
});

const ofAttempt = (attempt_id: AttemptId, agent_id: AgentId | null = null): RunOwner => ({
  ...run(ann, agent_id, shop),
  attempt_id,
});

const CASES: readonly (readonly [string, Caller, RunOwner, 'nothing' | 'read' | 'report'])[] = [
  ['a person, their own run', caller('user', ann, null, nowhere), run(ann, null), 'report'],
  ['a person, a run of an agent of theirs', caller('user', ann, null, nowhere), run(ann, robot), 'report'],
  ['a person, a run of someone else', caller('user', ann, null, nowhere), run(bob, null), 'nothing'],
  ['an agent, its own run', caller('agent', ann, robot, nowhere), run(ann, robot), 'report'],
  ['an agent, a run that its owner left to anyone', caller('agent', ann, robot, nowhere), run(ann, null), 'report'],
  ['an agent, a run of another agent of its owner', caller('agent', ann, robot, nowhere), run(ann, other), 'nothing'],
  ['an agent, a run of someone else', caller('agent', ann, robot, nowhere), run(bob, null), 'nothing'],
  ['a service, a run that it made', caller('service', ann, null, nowhere), run(ann, null, null, 'service'), 'report'],
  ['a service, a run of another service', caller('service', ann, null, nowhere), run(ann, null, null, 'x'), 'nothing'],
  [
    'a service, a run of the person who made the service',
    caller('service', ann, null, nowhere),
    run(ann, null),
    'nothing',
  ],
  [
    'an agent, a run of its owner where it was granted nothing',
    caller('agent', ann, robot, nowhere),
    run(ann, null, shop),
    'nothing',
  ],
  [
    'an agent, its own run where it was granted nothing',
    caller('agent', ann, robot, nowhere),
    run(ann, robot, shop),
    'nothing',
  ],
  [
    'an agent, a run of its owner where it was granted anything',
    caller('agent', ann, robot, inShop()),
    run(ann, null, shop),
    'report',
  ],
  [
    'a person, their own run in a project that they left',
    caller('user', ann, null, nowhere),
    run(ann, robot, shop),
    'report',
  ],
  [
    'a member, a run that another person made',
    caller('user', ann, null, inShop('issue:read', 'issue:comment', 'execution:report')),
    run(bob, null, shop),
    'report',
  ],
  [
    'a guest, a run that another person made',
    caller('user', ann, null, inShop('issue:read', 'issue:comment')),
    run(bob, null, shop),
    'read',
  ],
  ['a service, a run of an agent', caller('service', ann, null, nowhere), run(ann, robot), 'nothing'],
  ['a reader of the project', caller('agent', ann, robot, inShop('issue:read')), run(bob, other, shop), 'read'],
  ['a reader of another project', caller('agent', ann, robot, inShop('issue:read')), run(bob, null), 'nothing'],
  ['a reader, a run of nobody', caller('agent', ann, robot, inShop('issue:read')), run(bob, null, shop), 'read'],
  [
    'a reporter in the project, a run of nobody',
    caller('agent', ann, robot, inShop('issue:read', 'issue:comment')),
    run(bob, null, shop),
    'report',
  ],
  [
    'a reporter in the project, a run of another agent',
    caller('agent', ann, robot, inShop('issue:read', 'issue:comment')),
    run(bob, other, shop),
    'read',
  ],
  [
    'someone granted neither there',
    caller('agent', ann, robot, inShop('project:read')),
    run(bob, null, shop),
    'nothing',
  ],
  [
    'a reader of the board, a run of an attempt',
    caller('agent', bob, robot, inShop('board:read')),
    ofAttempt(first, other),
    'read',
  ],
  ['within an attempt, a run of it', inAttempt(first), ofAttempt(first), 'report'],
  ['within an attempt, a run of it that an agent asked for', inAttempt(first), ofAttempt(first, robot), 'report'],
  ['within an attempt, a run of another of the same project', inAttempt(first), ofAttempt(second), 'nothing'],
  ['within an attempt, a run of no attempt of the same person', inAttempt(first), run(ann, null, shop), 'nothing'],
  ['within an attempt, a run of no attempt and no project', inAttempt(first), run(ann, null), 'nothing'],
  ['an admin', caller('user', ann, null, everywhere(['admin']), 'admin'), run(bob, other), 'report'],
  [
    'a narrow token of an admin',
    caller('user', ann, null, everywhere(['issue:read', 'issue:comment'])),
    run(bob, null, shop),
    'nothing',
  ],
];

describe('runs', () => {
  it.each(CASES)('%s', (_, who, what, may) => {
    expect(readableRuns(who).sees(what)).toBe(may !== 'nothing');
    expect(reportableRuns(who).sees(what)).toBe(may === 'report');
  });

  it('of another workspace are visible to no caller', () => {
    const who = caller('local', ann, null, everywhere(['admin']), 'admin');
    const elsewhere = { ...run(ann, null), workspace_id: 'elsewhere' as WorkspaceId };

    expect(readableRuns(who).sees(elsewhere)).toBe(false);
    expect(reportableRuns(who).sees(elsewhere)).toBe(false);
  });
});
