import type { Caller } from '#domain/caller';
import type { Tool } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';
import { mayCall } from './authorize.ts';
import type { Gateway } from './gateway.ts';

/** How many lists are kept: one per combination of scopes. */
const MAX_LISTS = 1_000;

/** Lists the tools for each caller. */
export function createListing(catalog: readonly Tool[]): Pick<Gateway, 'visible' | 'find' | 'narrow'> {
  const byName = new Map<string, Tool>();
  for (const tool of catalog) {
    byName.set(`all/${tool.full_name}`, tool);
    byName.set(`${tool.profile}/${tool.name}`, tool);
  }
  const lists = new Map<string, readonly Tool[]>();

  return {
    narrow: (caller, profiles) => (profiles === undefined ? caller : { ...caller, only_profiles: profiles }),

    find: (name, profile) => byName.get(`${profile}/${name}`),

    visible: (caller: Caller, profile: ProfileName | 'all') => {
      if (caller.fault !== null) throw caller.fault;
      const key = `${profile} ${caller.scope_key} ${caller.only_profiles?.join(',') ?? '*'}`;
      const known = lists.get(key);
      if (known !== undefined) return known;
      const tools = catalog.filter((tool) => (profile === 'all' || tool.profile === profile) && mayCall(caller, tool));
      // Without the limit, a caller could grow the map by creating tokens.
      if (lists.size >= MAX_LISTS) lists.clear();
      lists.set(key, tools);
      return tools;
    },
  };
}
