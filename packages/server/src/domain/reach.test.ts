import { describe, expect, it } from 'vitest';
import type { ProjectId } from './ids.ts';
import { covers, everywhere, type ProjectRights, type Reach, reachKey } from './reach.ts';
import { SCOPES, type Scope } from './scope.ts';

const rights = (scopes: readonly Scope[], more: Partial<ProjectRights> = {}): ProjectRights => ({
  scopes: new Set(scopes),
  can_complete: false,
  can_cancel: false,
  ...more,
});

const reach = (projects: Readonly<Record<string, ProjectRights>>): Reach =>
  new Map(Object.entries(projects).map(([id, granted]) => [id as ProjectId, granted]));

describe('a reach that was kept', () => {
  const projects = { a: rights(['issue:read', 'project:read']), b: rights(['admin'], { can_complete: true }) };
  const kept = reach(projects);

  it.each([
    ['the same', true, kept],
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
  ])('is covered by %s: %s', (_, isCovered, now) => {
    expect(covers(reachKey(now), reachKey(kept))).toBe(isCovered);
  });

  it('has a bit for every right', () => {
    expect(Object.keys(SCOPES).length + 2).toBeLessThan(32);
  });

  it('of everything is covered by nothing less, and one of nothing by all', () => {
    expect(covers(reachKey(kept), reachKey(everywhere([])))).toBe(false);
    expect(covers(reachKey(reach({})), reachKey(reach({})))).toBe(true);
    expect(covers(reachKey(kept), reachKey(reach({})))).toBe(true);
  });
});
