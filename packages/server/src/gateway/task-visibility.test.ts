import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTasks, type TaskRecord } from '@errand/tasks';
import { openSqliteStore } from '@errand/tasks/sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '#domain/caller';
import type { ProjectId } from '#domain/ids';
import { everywhere, type ProjectRights, type Reach } from '#domain/reach';
import { SCOPES, type Scope } from '#domain/scope';
import { catalog } from '#tools/catalog';
import { taskVisibility } from './task-visibility.ts';

/** This program as a later release, which has one more scope in the middle of the list. */
vi.mock('#domain/scope', async (original) => {
  const scope = await original<typeof import('#domain/scope')>();
  const entries = Object.entries(scope.SCOPES);
  entries.splice(4, 0, ['issue:archive', 'Archive work items.'] as never);
  return { ...scope, SCOPES: Object.fromEntries(entries) };
});

const rights = (scopes: readonly string[], more: Partial<ProjectRights> = {}): ProjectRights => ({
  scopes: new Set(scopes as readonly Scope[]),
  can_complete: false,
  can_cancel: false,
  ...more,
});

const inProject = (granted: ProjectRights): Reach => new Map([['project-1' as ProjectId, granted]]);

const caller = (reach: Reach, fields: Partial<Caller> = {}): Caller =>
  // Nothing else of a caller decides what it sees.
  ({
    workspace_id: 'workspace-1',
    principal_id: 'agent-1',
    scopes: new Set<Scope>(['project:read', 'todo:read']),
    acts_for: 'self',
    reach,
    ...fields,
  }) as Caller;

const toolOf = (full_name: string) => {
  const tool = catalog.find((one) => one.full_name === full_name);
  if (tool === undefined) throw new Error(`no tool ${full_name}`);
  return tool;
};

let folder: string;
let kept: ReadonlyMap<string, TaskRecord>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errand-bit-rights-'));
  const path = join(folder, 'tasks.db');
  {
    using db = new DatabaseSync(path);
    db.exec(await readFile(join(import.meta.dirname, 'testing', 'tasks-with-bit-rights.sql'), 'utf8'));
  }
  await using tasks = createTasks({ store: await openSqliteStore({ path }), tools: {}, worker: false });
  const page = await tasks.list('client:agent-1', { limit: 200 });
  kept = new Map(page.tasks.map((task) => [String(task.request.arguments.title), task]));
});
afterAll(() => rm(folder, { recursive: true }));

const sees = (who: Caller, title: string): boolean => {
  const task = kept.get(title);
  if (task === undefined) throw new Error(`no task ${title}`);
  return taskVisibility.seesTask(who, toolOf(task.request.tool.replace('workspace-1:', '')), task.context);
};

const FLAGS = ['can_complete', 'can_cancel'] as const;
const OLD_SCOPES = Object.keys(SCOPES).filter((scope) => scope !== 'issue:archive' && scope !== 'board:merge');
const ALL: ProjectRights = rights(Object.keys(SCOPES), { can_complete: true, can_cancel: true });

describe('tasks of a release that stored rights as bits', () => {
  it('were made with each right of that release, and with all of them', () => {
    expect(Object.keys(SCOPES)[4]).toBe('issue:archive');
    expect([...kept.keys()]).toEqual(expect.arrayContaining([...OLD_SCOPES, ...FLAGS, 'all of project-1']));
  });

  it.each(OLD_SCOPES)('need %s in their project if it was granted there, and nothing else', (scope) => {
    const without = rights(
      [...ALL.scopes].filter((one) => one !== scope),
      { can_complete: true, can_cancel: true },
    );

    expect(sees(caller(inProject(rights([scope]))), scope)).toBe(true);
    expect(sees(caller(inProject(without)), scope)).toBe(false);
    expect(sees(caller(inProject(without)), 'all of project-1')).toBe(false);
  });

  it.each(FLAGS)('need %s in their project if it was granted there, and nothing else', (flag) => {
    expect(sees(caller(inProject(rights([], { [flag]: true }))), flag)).toBe(true);
    expect(sees(caller(inProject({ ...ALL, [flag]: false })), flag)).toBe(false);
    expect(sees(caller(inProject({ ...ALL, [flag]: false })), 'all of project-1')).toBe(false);
  });

  it('need every right of every project of their maker', () => {
    const second = (granted: ProjectRights): Reach =>
      new Map([...(inProject(ALL) as ReadonlyMap<ProjectId, ProjectRights>), ['project-2' as ProjectId, granted]]);
    const exact = rights(['issue:move', 'board:run'], { can_cancel: true });

    expect(sees(caller(inProject(ALL)), 'all of project-1')).toBe(true);
    expect(sees(caller(second(exact)), 'project-1 and project-2')).toBe(true);
    expect(sees(caller(second({ ...exact, can_cancel: false })), 'project-1 and project-2')).toBe(false);
    expect(sees(caller(second(rights(['issue:move'], { can_cancel: true }))), 'project-1 and project-2')).toBe(false);
    expect(sees(caller(inProject(ALL)), 'project-1 and project-2')).toBe(false);
    expect(sees(caller(new Map()), 'no project')).toBe(true);
  });

  it('of a maker who reached every project need the same reach', () => {
    expect(sees(caller(inProject(ALL)), 'every project')).toBe(false);
    expect(sees(caller(everywhere([])), 'every project')).toBe(true);
    expect(sees(caller(everywhere([])), 'project-1 and project-2')).toBe(true);
  });

  it('need the scopes of their tool, and the same people', () => {
    const [ann, bob] = ['user-1', 'user-2'] as unknown as Extract<Caller['acts_for'], readonly unknown[]>;

    expect(sees(caller(everywhere([]), { scopes: new Set() }), 'project:read')).toBe(false);
    expect(sees(caller(new Map()), 'for everyone')).toBe(false);
    expect(sees(caller(new Map(), { acts_for: '*' }), 'for everyone')).toBe(true);
    expect(sees(caller(new Map()), 'for two users')).toBe(false);
    expect(sees(caller(new Map(), { acts_for: [ann].filter((one) => one !== undefined) }), 'for two users')).toBe(
      false,
    );
    expect(sees(caller(new Map(), { acts_for: [ann, bob].filter((one) => one !== undefined) }), 'for two users')).toBe(
      true,
    );
  });
});

describe('a task', () => {
  const tool = toolOf('tasker_get_project_context');
  const maker = caller(inProject(rights(['project:read'])));
  const context = JSON.parse(JSON.stringify({ pass: 'token:0', ...taskVisibility.rightsForTask(maker) }));

  it.each([
    ['its maker', true, maker],
    ['another principal', false, { ...maker, principal_id: 'agent-2' }],
    ['another workspace', false, { ...maker, workspace_id: 'workspace-2' } as Caller],
    ['a caller without the scope of the tool', false, { ...maker, scopes: new Set<Scope>(['todo:read']) }],
    ['a caller that lost the project', false, { ...maker, reach: new Map() }],
    ['a caller with another project alone', false, { ...maker, reach: new Map([['p2' as ProjectId, ALL]]) }],
    ['a caller that reaches every project', true, { ...maker, reach: everywhere([]) }],
  ] as const)('is visible to %s: %s', (_, isSeen, who) => {
    expect(taskVisibility.seesTask(who, tool, context)).toBe(isSeen);
  });

  it('has the fields that a server of the previous release reads', () => {
    expect(context).toMatchObject({ acts_for: '*', reach_key: '*' });
  });

  it('with unreadable rights is visible to no caller', () => {
    const broken = { ...context, rights: { ...context.rights, projects: 'some' } };

    expect(taskVisibility.seesTask(caller(everywhere([]), { acts_for: '*' }), tool, broken)).toBe(false);
  });

  it('of a tool without a project is still visible after a project was lost', () => {
    const todos = toolOf('todo_list_tasks');

    expect(taskVisibility.seesTask({ ...maker, reach: new Map() }, todos, context)).toBe(true);
  });
});
