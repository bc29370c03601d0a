import type { Agent, Scope } from '../api/agents.ts';
import { isOfProject, PRESETS, type Preset, presetOf } from './presets.ts';

type Grant = Pick<Agent['grants'][number], 'project_id' | 'scopes' | 'can_complete' | 'can_cancel'>;

/** Some: given in a part of the projects. Each keeps what it has until a person sets it for all. */
export type Tick = boolean | 'some';

/** Where an agent may work, and what it may do there. */
export interface Rights {
  readonly projects: ReadonlySet<string>;
  /** Mixed while the projects differ and nobody has chosen. */
  readonly preset: Preset | 'Mixed';
  /** What is ticked in all projects or in some; with a preset, what it gives. */
  readonly ticks: ReadonlyMap<Scope, Exclude<Tick, false>>;
  readonly canComplete: Tick;
  readonly canCancel: Tick;
}

/** What is sent for a project whose rights change. */
export interface GrantBody {
  readonly project_id: string;
  readonly scopes: Scope[];
  readonly can_complete: boolean;
  readonly can_cancel: boolean;
}

export interface RightsChange {
  readonly grants: readonly GrantBody[];
  /** The projects where it may work no longer. */
  readonly ungrants: readonly string[];
}

function tickOf(having: number, all: number): Tick {
  if (having === 0) return false;
  return having === all ? true : 'some';
}

export const withPreset = (rights: Rights, preset: Preset): Rights =>
  preset === 'Custom'
    ? { ...rights, preset }
    : { ...rights, preset, ticks: new Map(PRESETS[preset].map((scope) => [scope, true])) };

export function withTick(rights: Rights, scope: Scope, isOn: boolean): Rights {
  const ticks = new Map(rights.ticks);
  if (isOn) ticks.set(scope, true);
  else ticks.delete(scope);
  return { ...rights, ticks };
}

/** The scopes that are ticked for every project. */
export const tickedIn = ({ ticks }: Pick<Rights, 'ticks'>): readonly Scope[] =>
  [...ticks].flatMap(([scope, tick]) => (tick === true ? [scope] : []));

/** The rights of an agent as its form begins. Rights without a project are those of its token: no grant changes them. */
export function rightsOf({ grants }: { readonly grants: readonly Grant[] }): Rights {
  const having = (has: (grant: Grant) => boolean): Tick => tickOf(grants.filter(has).length, grants.length);
  const named = new Set(grants.flatMap(({ scopes }) => scopes).filter(isOfProject));
  const ticks = new Map<Scope, Exclude<Tick, false>>();
  for (const scope of named) {
    const tick = having(({ scopes }) => scopes.includes(scope));
    if (tick !== false) ticks.set(scope, tick);
  }
  const rights = {
    projects: new Set(grants.map(({ project_id }) => project_id)),
    ticks,
    canComplete: having(({ can_complete }) => can_complete),
    canCancel: having(({ can_cancel }) => can_cancel),
  };
  if (grants.length === 0) return withPreset({ ...rights, preset: 'Custom' }, 'Worker');
  const isMixed = [...ticks.values()].includes('some');
  return { ...rights, preset: isMixed ? 'Mixed' : presetOf([...named]) };
}

/** What the agent gets in a project: what is ticked, what the project has where a tick is mixed, and what no form shows. */
function grantIn(project_id: string, before: Grant | undefined, { ticks, canComplete, canCancel }: Rights): GrantBody {
  const had: readonly Scope[] = before?.scopes ?? [];
  const keeps = (scope: Scope): boolean => !isOfProject(scope) || ticks.has(scope);
  const added = tickedIn({ ticks }).filter((scope) => isOfProject(scope) && !had.includes(scope));
  return {
    project_id,
    scopes: [...had.filter(keeps), ...added],
    can_complete: canComplete === 'some' ? (before?.can_complete ?? false) : canComplete,
    can_cancel: canCancel === 'some' ? (before?.can_cancel ?? false) : canCancel,
  };
}

const isSame = (before: Grant, { scopes, can_complete, can_cancel }: GrantBody): boolean =>
  before.can_complete === can_complete &&
  before.can_cancel === can_cancel &&
  before.scopes.toSorted().join() === scopes.toSorted().join();

/** What a person changed, project by project: a project that stays as it was is not among it. */
export function changeOf({ grants }: { readonly grants: readonly Grant[] }, rights: Rights): RightsChange {
  const known = new Map(grants.map((grant) => [grant.project_id, grant]));
  const wanted = [...rights.projects].map((id) => grantIn(id, known.get(id), rights));
  return {
    grants: wanted.filter((grant) => {
      const before = known.get(grant.project_id);
      return before === undefined || !isSame(before, grant);
    }),
    ungrants: [...known.keys()].filter((id) => !rights.projects.has(id)),
  };
}

/** The scopes that decide which tools an agent sees: those of its newest token, as far as a project grants them. */
export function scopesSeenBy({ grants, tokens }: Pick<Agent, 'grants' | 'tokens'>, rights: Rights): readonly Scope[] {
  const held: readonly Scope[] = tokens.findLast(({ status }) => status === 'live')?.scopes ?? [];
  const known = new Map(grants.map((grant) => [grant.project_id, grant]));
  const granted = new Set([...rights.projects].flatMap((id) => grantIn(id, known.get(id), rights).scopes));
  return held.filter((scope) => !isOfProject(scope) || granted.has(scope));
}
