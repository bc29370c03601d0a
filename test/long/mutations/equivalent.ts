/** Conditions that may be missing without a difference, each with the reason. */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  "projects.ts TODO_LIST: projects.kind = 'personal'":
    'Only a personal project has an owner, and the join is by the owner.',
  'search-entries.ts POSTGRES_PUT: search_entries.terms <> excluded.terms':
    'Without it the same terms are written once more: slower, but the same.',
};
