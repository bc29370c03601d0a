import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import type { ProjectId } from './ids.ts';
import { everywhere, type ProjectRights, type Reach } from './reach.ts';
import type { Scope } from './scope.ts';
import { coversPeople, coversProjects, StoredRights, storedRights } from './stored-rights.ts';

const rights = (scopes: readonly Scope[], more: Partial<ProjectRights> = {}): ProjectRights => ({
  scopes: new Set(scopes),
  can_complete: false,
  can_cancel: false,
  ...more,
});

const reach = (projects: Readonly<Record<string, ProjectRights>>): Reach =>
  new Map(Object.entries(projects).map(([id, granted]) => [id as ProjectId, granted]));

const stored = (fields: Partial<Caller>): StoredRights =>
  // Nothing else of a caller is stored.
  storedRights({ principal_id: 'p', workspace_id: 'w', acts_for: 'self', reach: new Map(), ...fields } as Caller);

describe('stored rights', () => {
  const projects = { a: rights(['issue:read', 'project:read']), b: rights(['admin'], { can_complete: true }) };
  const kept = stored({ reach: reach(projects) }).projects;

  it('are JSON that names every scope, with equal projects together', () => {
    const member = rights(['board:read', 'board:write'], { can_complete: true, can_cancel: true });
    const record = stored({ reach: reach({ a: member, b: rights(['board:read']), c: { ...member } }) });

    expect(StoredRights.parse(JSON.parse(JSON.stringify(record)))).toEqual({
      principal_id: 'p',
      workspace_id: 'w',
      acts_for: 'self',
      projects: [
        { project_ids: ['a', 'c'], scopes: ['board:read', 'board:write'], can_complete: true, can_cancel: true },
        { project_ids: ['b'], scopes: ['board:read'], can_complete: false, can_cancel: false },
      ],
    });
    expect(stored({ reach: everywhere(['board:read']) }).projects).toBe('all');
  });

  it.each([
    ['the same', true, reach(projects)],
    ['everything', true, everywhere(['issue:read'])],
    ['more projects', true, reach({ ...projects, c: rights([]) })],
    [
      'more rights',
      true,
      reach({
        a: rights(['issue:read', 'project:read', 'issue:create'], { can_cancel: true }),
        b: rights(['admin', 'issue:read'], { can_complete: true }),
      }),
    ],
    ['a project less', false, reach({ a: rights(['issue:read', 'project:read']) })],
    ['a scope less', false, reach({ a: rights(['issue:read']), b: rights(['admin'], { can_complete: true }) })],
    ['no completing', false, reach({ a: rights(['issue:read', 'project:read']), b: rights(['admin']) })],
    ['nothing', false, reach({})],
  ])('are covered by %s: %s', (_, isCovered, now) => {
    expect(coversProjects(now, kept)).toBe(isCovered);
  });

  it('for every project are covered by nothing less, and those for no project by everything', () => {
    expect(coversProjects(reach(projects), 'all')).toBe(false);
    expect(coversProjects(reach({}), [])).toBe(true);
    expect(coversProjects(reach(projects), [])).toBe(true);
  });

  it('with a scope that no longer exists are covered by no grant', () => {
    const retired = { project_ids: ['a'], scopes: ['issue:retired'], can_complete: false, can_cancel: false };

    expect(coversProjects(reach(projects), [retired])).toBe(false);
  });

  it.each([
    ['self', 'self', true],
    ['self', '*', true],
    ['self', ['ann'], true],
    ['*', '*', true],
    ['*', 'self', false],
    ['*', ['ann', 'bob'], false],
    [['ann', 'bob'], '*', true],
    [['ann', 'bob'], ['bob', 'ann'], true],
    [['ann', 'bob'], ['ann'], false],
    [['ann'], ['ann', 'bob'], false],
    [['ann'], 'self', false],
  ] as const)('to speak for %s are covered by %s: %s', (people, now, isCovered) => {
    expect(coversPeople(now as Caller['acts_for'], typeof people === 'string' ? people : [...people])).toBe(isCovered);
  });
});
