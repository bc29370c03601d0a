import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../../packages/server/src/tools/catalog.ts';
import type { Answer, Arguments } from '../client.ts';
import { ARGUMENTS, GRANTABLE, TASKER } from './matrix.ts';
import { newId, type PlantedAgent, plantAgent, plantSession, type Site } from './site.ts';
import { countEffects, openTracker, type Tracker, trackerDigest } from './tracker.ts';
import { type AgentClient, overHttp } from './ways.ts';

type Place = Site & { readonly work_session_id: string };

interface Noun {
  readonly at: (place: Place) => string;
  readonly code: string;
  /** True when a thing of another project of the workspace is foreign too. People belong to the whole workspace. */
  readonly is_of_project: boolean;
}

const noun = (at: Noun['at'], code = 'validation_error', is_of_project = true): Noun => ({ at, code, is_of_project });

/** Every argument that names something by its id. */
const NOUNS: Readonly<Record<string, Noun>> = {
  project_id: noun(({ project_id }) => project_id, 'project_not_granted'),
  issue_id: noun(({ issue_id }) => issue_id, 'not_found'),
  work_session_id: noun(({ work_session_id }) => work_session_id, 'not_found'),
  state_id: noun(({ states }) => states.started),
  label_ids: noun(({ label_id }) => label_id),
  assignee_ids: noun(({ member_id }) => member_id),
  parent_id: noun(({ parent_id }) => parent_id),
  user_id: noun(({ member_id }) => member_id, 'validation_error', false),
  item_id: noun(() => 'item', 'validation_error', false),
};

/** The arguments of calls that use a field which the usual arguments lack. */
const REACHING: Readonly<Record<string, Arguments>> = {
  'tasker_update_structured_blocks.item_id': { action: 'update_checker_item', checked: true, text: undefined },
  'tasker_start_work_session.issue_id': { project_id: undefined },
};

/** Returns the kinds of ids that this field accepts: a parent is an issue too. */
const sameNoun = (field: string, here: Place): readonly string[] =>
  field === 'issue_id' || field === 'parent_id' ? [here.issue_id, here.parent_id] : [NOUNS[field]?.at(here) ?? ''];

const isId = (field: string): boolean => /_ids?$/.test(field);
const idsOf = (tool: Tool): readonly string[] => Object.keys(tool.input.shape).filter(isId);
const CASES = TASKER.flatMap((tool) => idsOf(tool).map((field) => [tool, field] as const));

const GARBAGE = [`nothing ' or 1=1 --`, '../../admin', '%', '*', 'null', '💥', '00000000-0000-0000-0000-000000000000'];

/** Returns an error without the requested id and the request id. */
function worded(answer: Answer, id: string): string {
  if (answer.ok) return `ok: ${JSON.stringify(answer.value)}`;
  const { correlation_id: _, ...error } = answer.error;
  return JSON.stringify(error).replaceAll(JSON.stringify(id).slice(1, -1), '<id>');
}

describe.each(['sqlite', 'postgres'] as const)('an id that is not yours on %s', (backend) => {
  let tracker: Tracker;
  let agent: PlantedAgent;
  let colleague: PlantedAgent;
  let client: AgentClient;
  beforeAll(async () => {
    tracker = await openTracker(backend);
    const { store, home, side, server } = tracker;
    agent = await plantAgent(store, home, [home.project_id, side.project_id], GRANTABLE);
    colleague = await plantAgent(store, home, [home.project_id], GRANTABLE);
    client = await overHttp('2026-07-28', server.origin, '/mcp').connect(agent.token);
  });
  afterAll(async () => {
    await tracker?.[Symbol.asyncDispose]();
  });

  it('is known by name in every argument of every tool', () => {
    const unknown = CASES.filter(([, field]) => !(field in NOUNS)).map(([tool, field]) => `${tool.name}.${field}`);

    expect(unknown).toEqual([]);
  });

  it.each(CASES.map(([tool, field]) => [tool.name, field, tool] as const))(
    '[TSK-16, TSK-17, TSK-18, TSK-19, TSK-24] reads the same as one that nobody has: %s, %s',
    async (name, field, tool) => {
      const { store, home, neighbour, abroad, database } = tracker;
      const place = async (site: Site) => ({ ...site, work_session_id: await plantSession(store, site, agent) });
      const [here, next, far] = [await place(home), await place(neighbour), await place(abroad)];
      const { at, code, is_of_project } = NOUNS[field] ?? noun(() => '');
      const others = Object.values(NOUNS).filter((other) => !sameNoun(field, here).includes(other.at(here)));
      const ids = [
        ...(is_of_project ? [at(next)] : []),
        // A session of another agent, in a project that both are granted.
        ...(field === 'work_session_id' ? [await plantSession(store, home, colleague)] : []),
        ...(field === 'item_id' ? [] : [at(far)]),
        newId(),
        ...GARBAGE,
        // An id of the right project, but of another noun.
        ...others.map((other) => other.at(here)),
      ];
      const call = (id: string) =>
        client.call(name, {
          ...ARGUMENTS[name]?.(here),
          ...REACHING[`${name}.${field}`],
          [field]: field.endsWith('_ids') ? [id] : id,
          ...('idempotency_key' in tool.input.shape && { idempotency_key: newId() }),
        });
      const before = [await trackerDigest(database), await countEffects(database)];

      const answers: { id: string; answer: Answer }[] = [];
      for (const id of ids) answers.push({ id, answer: await call(id) });

      expect([...new Set(answers.map(({ id, answer }) => worded(answer, id)))]).toHaveLength(1);
      for (const { answer } of answers) expect(answer).toMatchObject({ ok: false, error: { code } });
      expect([await trackerDigest(database), await countEffects(database)]).toEqual(before);
    },
  );
});
