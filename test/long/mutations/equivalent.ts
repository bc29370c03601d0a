/** Conditions whose removal makes no difference, each with the reason. */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  "projects.ts TODO_LIST: projects.kind = 'personal'":
    'Only a personal project has an owner, and the join is by the owner.',
  'search.ts POSTGRES_MATCH: project_id = reach.id':
    'The words begin with the number of the project: an item of another matches none of them, it is only looked at.',
  'within.ts OPEN: open_projects.workspace_id = :workspace_id':
    'Every query that asks within projects compares the workspace itself, and each of those conditions is missed.',
  'search-entries.ts POSTGRES_PUT: search_entries.terms <> excluded.terms':
    'Without it the same terms are written once more: slower, but the same.',
};
