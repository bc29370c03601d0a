import { blocksOf } from '#domain/blocks';
import type { ProjectId } from '#domain/ids';
import type { Within } from '#domain/reach';
import type { NewIssue, TrackerState } from '#services/tasker/adapter';
import type { TrackerWork } from '#services/work';
import { createWorld } from '#testing/world';
import { startPlane } from '../../../../../../test/plane/stand-in.ts';
import { addLabel, addMember, addProject, addUser } from '../../../../../../test/plane/world.ts';
import { planeTracker } from '../plane-tracker.ts';

export const KEY = 'plane_api_0123456789abcdef';

/** A Plane with one project, a person in it, and Errand's tracker for it. */
export async function aPlane({ timeout_ms = 10_000, max_call_ms = 60_000 } = {}) {
  const plane = await startPlane();
  const bot = addUser(plane.world, 'errand-bot');
  const ada = addUser(plane.world, 'Ada');
  const project = addProject(plane.world, 'Website');
  for (const user of [bot, ada]) addMember(plane.world, project.id, user.id);
  const label = addLabel(plane.world, project.id, 'bug');
  plane.world.keys.set(KEY, bot.id);
  plane.rate = { requests: 10_000, seconds: 60 };

  const access = { base_url: plane.url, api_key: KEY, workspace_slug: plane.slug };
  let ahead_ms = 0;
  const tracker = planeTracker(access, { clock: () => Date.now() + ahead_ms, timeout_ms, max_call_ms });
  const world = await createWorld({ tracker });
  const project_id = project.id as ProjectId;
  const within: Within = { workspace_id: world.owner.workspace_id, project_ids: [project_id] };
  const stateOf = (group: string): TrackerState => {
    const state = plane.world.states.find((each) => each.project === project.id && each.group === group);
    return { id: state?.id ?? '', name: state?.name ?? '', group: group as TrackerState['group'] };
  };

  return {
    plane,
    bot,
    ada,
    project,
    project_id,
    label,
    access,
    tracker,
    world,
    within,
    /** Moves the tracker's clock ahead. */
    later: (ms: number): void => {
      ahead_ms += ms;
    },
    stateOf,
    work: (operation_id = 'op-1'): TrackerWork => ({
      caller: world.owner,
      subject: world.owner.user_id,
      within,
      rightsIn: () => ({ scopes: world.owner.scopes, can_complete: true, can_cancel: true }),
      tx: world.store.reads,
      client_facts: {},
      changed: () => {},
      operation_id,
      transaction: world.store.transaction,
    }),
    anIssue: (fields: Partial<NewIssue> = {}): NewIssue => ({
      project_id,
      name: 'Fix the login',
      description_html: null,
      detail_layout: null,
      state: stateOf('unstarted'),
      priority: 'none',
      label_ids: [],
      assignee_ids: [],
      parent_id: null,
      start_date: null,
      target_date: null,
      ...fields,
    }),
    [Symbol.asyncDispose]: async () => {
      await plane[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** A Plane whose project is imported, with its cards through the tools, and a new idempotency key each time. */
export async function aPlaneAgent() {
  const at = await aPlane();
  const { world, project_id } = at;
  await world.ask('admin_import_projects', { idempotency_key: 'import' });
  let keys = 0;
  const keyed = (tool: string, input: object): object => ({
    ...(/_(get|list|search)_/.test(tool) ? {} : { idempotency_key: `key-${++keys}` }),
    ...input,
  });
  const ask = (tool: string, input: object) => world.ask(tool, keyed(tool, input));
  const idOf = (answer: Record<string, unknown>, part: string): string => (answer[part] as { readonly id: string }).id;

  return {
    ...at,
    ask,
    call: (tool: string, input: object) => world.call(tool, keyed(tool, input)),
    refuse: (tool: string, input: object) => world.refuse(tool, keyed(tool, input)),
    /** Creates a card and returns its id. */
    card: async (fields: object = {}): Promise<string> =>
      idOf(await ask('tasker_create_issue', { project_id, name: 'Card', ...fields }), 'issue'),
    /** Starts a work session on a card and returns its id. */
    session: async (issue_id: string): Promise<string> =>
      idOf(await ask('tasker_start_work_session', { issue_id }), 'work_session'),
    blocks: async (issue_id: string) =>
      blocksOf((await at.tracker.find(at.work(), at.within, issue_id))?.detail_layout ?? null),
    [Symbol.asyncDispose]: at[Symbol.asyncDispose],
  };
}
