import { z } from 'zod';
import type { StoredRights } from './stored-rights.ts';

/**
 * The order in which rights were stored as bits, the lowest first. Only for reading records of that form, which are no
 * longer written: a change here gives old records other rights.
 */
const RIGHTS_BY_BIT = [
  'can_complete',
  'can_cancel',
  'workspace:read',
  'project:read',
  'project:member:add_existing',
  'issue:read',
  'issue:create',
  'issue:update',
  'issue:move',
  'issue:label',
  'issue:assign',
  'issue:comment',
  'issue:structured_blocks:write',
  'todo:read',
  'todo:write',
  'todo:act_as',
  'board:read',
  'board:write',
  'board:run',
  'board:delete',
  'execution:report',
  'admin',
] as const;

/** Every project, in a record of that form. */
const EVERYWHERE = '*';

/** `reach_key` is `*`, or `<project>:<bits>` for each project, joined by commas. The oldest records have neither field. */
const BitRights = z.object({ acts_for: z.string().default('*'), reach_key: z.string().default(EVERYWHERE) });

type Projects = Exclude<StoredRights['projects'], 'all'>;

/** Null where bits are set that no release wrote. */
function readGrant(entry: string): Projects[number] | null {
  const [, project, digits] = /^([^:]+):(\d{1,7})$/.exec(entry) ?? [];
  const bits = Number(digits);
  if (project === undefined || bits >= 1 << RIGHTS_BY_BIT.length) return null;
  const held = RIGHTS_BY_BIT.filter((_, at) => (bits >> at) & 1);
  return {
    project_ids: [project],
    scopes: held.filter((right) => right !== 'can_complete' && right !== 'can_cancel'),
    can_complete: held.includes('can_complete'),
    can_cancel: held.includes('can_cancel'),
  };
}

function readProjects(reach_key: string): StoredRights['projects'] | null {
  if (reach_key === EVERYWHERE) return 'all';
  const grants = reach_key === '' ? [] : reach_key.split(',').map(readGrant);
  return grants.every((grant) => grant !== null) ? grants : null;
}

function readPeople(acts_for: string): StoredRights['acts_for'] {
  if (acts_for === 'self' || acts_for === '*') return acts_for;
  // A service token of an app acts for no person.
  return acts_for === '' ? [] : acts_for.split(',');
}

/**
 * The two fields that the previous release reads, and without which its `tasks/list` fails. They ask for every right,
 * so a server of that release shows the record only to callers who may do everything.
 */
export const FOR_PREVIOUS_RELEASE = { acts_for: '*', reach_key: EVERYWHERE } as const;

/** Rights as earlier releases stored them; null for anything else. */
export function readBitRights(stored: unknown): StoredRights | null {
  const { data } = BitRights.safeParse(stored);
  const projects = data === undefined ? null : readProjects(data.reach_key);
  if (data === undefined || projects === null) return null;
  return { principal_id: null, workspace_id: null, acts_for: readPeople(data.acts_for), projects };
}
