import { describe, expect, it } from 'vitest';
import type { Scope } from '../api/agents.ts';
import { changeOf, rightsOf, scopesSeenBy, withPreset, withTick } from './rights.ts';

const WORKER: Scope[] = ['board:read', 'board:write', 'execution:report'];
const TOKEN: Scope[] = [...WORKER, 'board:run', 'todo:read', 'todo:write'];

const grant = (project_id: string, scopes: Scope[], moves: { can_complete?: boolean; can_cancel?: boolean } = {}) => ({
  project_id,
  project_name: project_id,
  scopes,
  can_complete: false,
  can_cancel: false,
  ...moves,
});

const DIFFERENT = {
  grants: [
    grant('inbox', [...WORKER, 'todo:read', 'todo:write'], { can_complete: true }),
    grant('web', ['board:read'], { can_cancel: true }),
  ],
};
const NOTHING = { grants: [], ungrants: [] };

describe('the rights of an agent', () => {
  it('send nothing while nothing was changed, whatever the projects have', () => {
    const agents = [
      DIFFERENT,
      { grants: [] },
      { grants: [grant('inbox', TOKEN)] },
      { grants: [grant('a', ['board:merge', 'project:member:add_existing']), grant('b', ['board:merge'])] },
    ];

    expect(agents.map((agent) => changeOf(agent, rightsOf(agent)))).toEqual(agents.map(() => NOTHING));
  });

  it('are mixed where projects differ, and a preset where they do not', () => {
    const { preset, canComplete, canCancel, ticks } = rightsOf(DIFFERENT);

    expect([preset, canComplete, canCancel]).toEqual(['Mixed', 'some', 'some']);
    expect([...ticks]).toEqual([
      ['board:read', true],
      ['board:write', 'some'],
    ]);
    expect(rightsOf({ grants: [grant('a', WORKER), grant('b', ['board:write', 'board:read'])] }).preset).toBe('Worker');
  });

  it('change only what was set: the rest of each project stays', () => {
    const rights = { ...rightsOf(DIFFERENT), canComplete: true };

    expect(changeOf(DIFFERENT, rights)).toEqual({
      grants: [{ project_id: 'web', scopes: ['board:read'], can_complete: true, can_cancel: true }],
      ungrants: [],
    });
  });

  it('change one right in the projects that lack it, and keep the mixed ones', () => {
    const rights = withTick(withPreset(rightsOf(DIFFERENT), 'Custom'), 'board:write', true);

    expect(changeOf(DIFFERENT, rights).grants).toEqual([
      { project_id: 'web', scopes: ['board:read', 'board:write'], can_complete: false, can_cancel: true },
    ]);
  });

  it('keep the scopes of no project when a preset is chosen', () => {
    const { grants } = changeOf(DIFFERENT, withPreset(rightsOf(DIFFERENT), 'Planner'));

    expect(grants.map(({ scopes }) => scopes)).toEqual([
      [...WORKER, 'todo:read', 'todo:write', 'board:run'],
      ['board:read', 'board:write', 'board:run'],
    ]);
  });

  it('give a further project what all others have, and take one project only', () => {
    const rights = { ...rightsOf(DIFFERENT), projects: new Set(['inbox', 'new']) };

    expect(changeOf(DIFFERENT, rights)).toEqual({
      grants: [{ project_id: 'new', scopes: ['board:read'], can_complete: false, can_cancel: false }],
      ungrants: ['web'],
    });
  });

  it('show the tools of the token, as far as projects grant its rights', () => {
    const tokens = [{ ...TOKEN_ROW, scopes: TOKEN }];

    expect(scopesSeenBy({ ...DIFFERENT, tokens }, rightsOf(DIFFERENT))).toEqual([...WORKER, 'todo:read', 'todo:write']);
    expect(scopesSeenBy({ ...DIFFERENT, tokens: [] }, rightsOf(DIFFERENT))).toEqual([]);
  });
});

const TOKEN_ROW = {
  token_id: 'token',
  status: 'live' as const,
  created_at: '2026-01-01T00:00:00Z',
  expires_at: null,
  revoked_at: null,
};
