import { describe, expect, it } from 'vitest';
import type { CommentId, LabelId, ProjectId } from '../../../packages/server/src/domain/ids.ts';
import type { Arguments } from '../client.ts';
import { GRANTABLE } from './matrix.ts';
import { anItem, insertUser, newId, type PlantedAgent, plantAgent, plantSite, type Site } from './site.ts';
import { openTracker, type Tracker } from './tracker.ts';
import { MAX_CHARACTERS, measured } from './walk.ts';

const MANY = 120;
const LONG_NAME = 'n'.repeat(200);

/** Fills a project with more rows of every kind than fit into an answer. */
async function crowd({ store, home }: Tracker, { agent_id, owner_id }: PlantedAgent): Promise<void> {
  const blocks = Array.from({ length: 40 }, (_, at) => ({
    id: `b${at}`,
    type: 'text',
    title: 'Why',
    text: 'x'.repeat(1_000),
  }));
  const layout = JSON.stringify({ nodedc_structured_blocks: { version: 1, blocks } });
  const guide = 'Write cards well. '.repeat(1_000);
  await store.transaction(async (tx) => {
    for (let at = 0; at < MANY; at++) {
      const { project_id } = home;
      const name = `${at} ${LONG_NAME}`.slice(0, 200);
      await tx.projects.insertLabel({ id: newId() as LabelId, project_id, name, color: '#ffffff', created_at: 1 });
      const user_id = await insertUser(tx, home.workspace_id);
      await tx.projects.putMember({ project_id, user_id, role: 'member', added_at: 1 });
      await tx.workItems.insert(anItem(home, `${at} ${LONG_NAME}`.slice(0, 200)));
      await tx.workItems.insertComment({
        id: newId() as CommentId,
        work_item_id: home.issue_id,
        comment_html: `<p>${'said '.repeat(500)}</p>`,
        author_user_id: owner_id,
        author_agent_id: agent_id,
        created_at: at,
      });
    }
    await tx.settings.put('workspace_guide', guide);
    const project = await tx.projects.find(home.workspace_id, home.project_id);
    if (project !== null) await tx.projects.update({ ...project, card_guide: guide, name: LONG_NAME });
    const item = await tx.workItems.find({ workspace_id: home.workspace_id, project_ids: 'all' }, home.issue_id);
    if (item === null) throw new Error('no card');
    const description_html = `<p>${'word '.repeat(9_000)}</p>`;
    await tx.workItems.update({ ...item, title: LONG_NAME, description_html, detail_layout: layout, version: 2 });
  });
}

/** The plain arguments of each tool, without optional fields. */
const PLAIN: Readonly<Record<string, (at: Site) => Arguments>> = {
  tasker_get_agent_instructions: () => ({}),
  tasker_list_projects: () => ({}),
  tasker_get_project_context: ({ project_id }) => ({ project_id }),
  tasker_search_issues: () => ({ query: '' }),
  tasker_get_issue: ({ issue_id }) => ({ issue_id }),
  tasker_update_issue: ({ issue_id }) => ({ issue_id, priority: 'high' }),
  tasker_append_comment: ({ issue_id }) => ({ issue_id, comment_html: `<p>${'again '.repeat(3_000)}</p>` }),
  tasker_update_structured_blocks: ({ issue_id }) => ({
    issue_id,
    action: 'append_text_block',
    text: 'y'.repeat(9_000),
  }),
  tasker_create_issue: ({ project_id }) => ({
    project_id,
    name: LONG_NAME,
    description_html: `<p>${'long '.repeat(5_000)}</p>`,
  }),
};

describe.each(['sqlite', 'postgres'] as const)('answers about a crowded project on %s', (backend) => {
  it(`are at most ${MAX_CHARACTERS} characters in both halves`, async () => {
    await using tracker = await openTracker(backend);
    const { store, home, server } = tracker;
    const more: ProjectId[] = [];
    for (let at = 0; at < 60; at++) {
      more.push((await plantSite(store, home.workspace_id, `${at} ${LONG_NAME}`.slice(0, 200))).project_id);
    }
    const agent = await plantAgent(store, home, [home.project_id, ...more], GRANTABLE);
    await crowd(tracker, agent);

    const sizes: [string, number][] = [];
    for (const [tool, args] of Object.entries(PLAIN)) {
      const key = /create|update|append/.test(tool) ? { idempotency_key: newId() } : {};
      const { characters } = await measured(server.origin, agent.token, tool, { ...args(home), ...key });
      sizes.push([tool, Math.max(...characters)]);
    }

    expect(sizes.filter(([, size]) => size > MAX_CHARACTERS)).toEqual([]);
  });
});
