import type { z } from 'zod';
import { type ProjectId, ProjectId as ProjectIdSchema } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { Issue, ProjectSource, TaskerAdapter } from '#services/tasker/adapter';
import type { ReadWork } from '#services/work';
import { ITEM_QUERY, type Item, ItemOrNone, Labels, Members, Projects, pageOf, States } from './answers.ts';
import { issueOf } from './issues.ts';
import { isPlaneId, items, projectParts } from './paths.ts';
import type { PlaneClient, Query } from './plane-client.ts';

const PER_PAGE = 1000;
const MAX_PAGES = 10;

/** Reads Plane: projects and their parts, and single issues within the caller's reach. */
export function createLookups({ get, failures }: PlaneClient) {
  async function pages<T>(
    results: z.ZodType<readonly T[]>,
    path: readonly string[],
    query: Query,
  ): Promise<readonly T[]> {
    const all: T[] = [];
    let cursor = `${PER_PAGE}:0:0`;
    for (let count = 0; count < MAX_PAGES; count++) {
      const page = await get(pageOf(results), path, { ...query, per_page: PER_PAGE, cursor });
      if (page === null) throw failures.notThere();
      all.push(...page.results);
      if (!page.next_page_results) break;
      cursor = page.next_cursor;
    }
    return all;
  }

  const projects: ProjectSource['projects'] = async () => {
    const all = await pages(Projects, ['projects'], { fields: 'id,name,is_member,archived_at', order_by: 'name' });
    const ours = all.filter(({ is_member, archived_at }) => is_member !== false && !archived_at);
    return ours.map(({ id, name }) => ({ id, name }));
  };

  const states: TaskerAdapter['states'] = (_, project) =>
    pages(States, projectParts(project, 'states'), { fields: 'id,name,group' });

  const labels: TaskerAdapter['labels'] = (_, project) =>
    pages(Labels, projectParts(project, 'labels'), { fields: 'id,name,color' });

  const members: TaskerAdapter['members'] = async (_, project) => {
    const all = await get(Members, projectParts(project, 'members'));
    if (all === null) throw failures.notThere();
    // Plane reports neither roles nor who was removed.
    return all.map((member) => ({ ...member, role: 'member', is_active: true }));
  };

  /** `all` means all imported projects: no caller sees any other project of Plane. */
  async function projectsWithin(work: ReadWork, { project_ids, workspace_id }: Within): Promise<readonly ProjectId[]> {
    if (project_ids !== 'all') return project_ids.filter(isPlaneId);
    const taken: ProjectId[] = [];
    for (const { id } of await projects()) {
      const known = await work.tx.projects.find(workspace_id, ProjectIdSchema.parse(id));
      if (known !== null) taken.push(known.id);
    }
    return taken;
  }

  async function read(project: ProjectId, id: string): Promise<Item | null> {
    const item = await get(ItemOrNone, items(project, id), ITEM_QUERY);
    return item?.project === project ? item : null;
  }

  // Searches one granted project after another, so that no other project is ever asked. One that refuses
  // Errand must not hide the others, nor count as one that has no such item.
  async function find(work: ReadWork, within: Within, id: string): Promise<Issue | null> {
    if (!isPlaneId(id)) return null;
    let failed: unknown = null;
    for (const project of await projectsWithin(work, within)) {
      try {
        const item = await read(project, id);
        if (item !== null) return issueOf(project, item);
      } catch (error) {
        if (!failures.isClosedDoor(error)) throw error;
        failed ??= error;
      }
    }
    if (failed !== null) throw failed;
    return null;
  }

  const lineage: TaskerAdapter['lineage'] = async (work, within, id, most) => {
    const line: string[] = [];
    for (let next: string | null = id; next !== null && line.length < most; ) {
      const issue: Issue | null = await find(work, within, next);
      if (issue === null) break;
      line.push(issue.id);
      next = issue.parent_id;
    }
    return line;
  };

  return { projects, states, labels, members, projectsWithin, read, find, lineage };
}

export type Lookups = ReturnType<typeof createLookups>;
