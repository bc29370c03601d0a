import { describe, expect, it } from 'vitest';
import type { ProjectId } from '#domain/ids';
import { createTrackerWorld } from '#testing/tracker';

describe('tasker_set_issue_labels', () => {
  it('[TSK-26] sets exactly the given labels, or adds them, and changes nothing when repeated', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const [red, blue, green] = [
      await at.label(project_id, 'red'),
      await at.label(project_id, 'blue'),
      await at.label(project_id, 'green'),
    ];
    const issue_id = await at.issue(robot, { project_id, name: 'x', label_ids: [red] });
    const set = (label_ids: string[], mode?: string) =>
      at.ask(robot, 'tasker_set_issue_labels', { issue_id, label_ids, ...(mode !== undefined && { mode }) });

    const merged = await set([blue], 'merge');
    const again = await set([blue, red], 'merge');
    const replaced = await set([green]);
    const none = await set([]);

    expect(merged).toMatchObject({ labels: [{ id: blue }, { id: red }], issue: { version: 2 } });
    expect(again).toMatchObject({ labels: [{ id: blue }, { id: red }], issue: { version: 2 } });
    expect(replaced).toMatchObject({ labels: [{ id: green, name: 'green' }], issue: { version: 3 } });
    expect(none.labels).toEqual([]);
  });

  it('[TSK-26] creates no label, and refuses those of another project like unknown ones', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
    const foreign = await at.label(await at.project('Other'), 'red');

    const errors = [
      await at.refuse(at.robot, 'tasker_set_issue_labels', { issue_id, label_ids: [foreign] }),
      await at.refuse(at.robot, 'tasker_set_issue_labels', { issue_id, label_ids: ['red'] }),
    ];

    expect(errors.map(({ code }) => code)).toEqual(['validation_error', 'validation_error']);
    expect(errors[0]?.message).toBe(errors[1]?.message);
  });

  it('[TSK-14] are shortened by tasker_get_issue, and whole on request', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const label_ids: string[] = [];
    for (let i = 10; i < 40; i++) label_ids.push(await at.label(project_id, `label number ${i}`));
    const issue_id = await at.issue(robot, { project_id, name: 'x', label_ids, description_html: 'y'.repeat(3_000) });
    const get = (include: readonly string[]) => at.ask(robot, 'tasker_get_issue', { issue_id, include });
    const labelsOf = ({ issue }: Record<string, unknown>) => (issue as { labels: { id: string }[] }).labels;

    const [short, whole] = [await get([]), await get(['labels'])];

    expect(short.truncated).toEqual(['labels', 'description']);
    expect(JSON.stringify(short).length).toBeLessThan(4_000);
    expect(labelsOf(whole).map(({ id }) => id)).toEqual(label_ids);
    expect(whole.truncated).toEqual(['description']);
    expect((whole.issue as { description_html: string }).description_html.length).toBeGreaterThan(500);
  });

  it('keeps the number of labels within its limit', async () => {
    await using at = await createTrackerWorld();
    const ids: string[] = [];
    for (let i = 0; i < 51; i++) ids.push(await at.label(at.project_id, `label ${i}`));
    const label_ids = ids.slice(0, 50);
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x', label_ids });

    const error = await at.refuse(at.robot, 'tasker_set_issue_labels', {
      issue_id,
      label_ids: ids.slice(50),
      mode: 'merge',
    });

    expect(error).toMatchObject({ code: 'validation_error', message: expect.stringContaining('50 labels') });
  });
});

describe('tasker_assign_issue', () => {
  it('[TSK-27] sets active members of the project, and changes nothing when repeated', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id } = at;
    const [ada, bob] = [await at.member(project_id, 'Ada'), await at.member(project_id, 'Bob')];
    const issue_id = await at.issue(robot, { project_id, name: 'x' });
    const assign = (assignee_ids: string[]) => at.ask(robot, 'tasker_assign_issue', { issue_id, assignee_ids });

    const both = await assign([bob, ada]);
    const again = await assign([ada, bob]);
    const nobody = await assign([]);

    expect(both).toMatchObject({ assignees: [{ id: ada }, { id: bob, name: 'Bob' }], issue: { version: 2 } });
    expect(again).toMatchObject({ issue: { version: 2 } });
    expect(nobody).toMatchObject({ assignees: [], issue: { version: 3 } });
  });

  it('[TSK-27] refuses a user who is no member, is blocked, or does not exist, with the same error', async () => {
    await using at = await createTrackerWorld();
    const issue_id = await at.issue(at.robot, { project_id: at.project_id, name: 'x' });
    const blocked = await at.member(at.project_id, 'Blocked');
    await at.world.ask('admin_block_user', { user_id: blocked });
    const outsider = await at.world.addUser('Outsider');

    const errors = [];
    for (const id of [outsider, blocked, 'nobody']) {
      errors.push(await at.refuse(at.robot, 'tasker_assign_issue', { issue_id, assignee_ids: [id] }));
    }

    expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'validation_error'));
    expect(new Set(errors.map(({ message }) => message)).size).toBe(1);
  });
});

describe('tasker_add_existing_project_member', () => {
  it('[TSK-28, TSK-31] adds a member of the workspace, and keeps the instruction in the audit trail', async () => {
    await using at = await createTrackerWorld();
    const { robot, project_id, world } = at;
    const user_id = await world.addUser('Ada');
    const input = { project_id, user_id, instruction_ref: 'https://chat.test/42' };

    const first = await at.ask(robot, 'tasker_add_existing_project_member', input);
    const again = await at.ask(robot, 'tasker_add_existing_project_member', input);
    const [entry] = await world.store.reads.audit.list(world.owner.workspace_id, {
      before: null,
      limit: 1,
      action: 'tasker_add_existing_project_member',
    });

    expect(first).toEqual({ member: { project_id, user_id, name: 'Ada', role: 'member' }, added: true });
    expect(again).toMatchObject({ added: false });
    expect(entry).toMatchObject({ instruction_ref: 'https://chat.test/42', entity: 'project', entity_id: project_id });
    const issue_id = await at.issue(robot, { project_id, name: 'x', assignee_ids: [user_id] });
    expect(await at.read(robot, issue_id)).toMatchObject({ assignees: [{ id: user_id }] });
  });

  it('[TSK-28] invites nobody: unknown and blocked users get the same error', async () => {
    await using at = await createTrackerWorld();
    const blocked = await at.world.addUser('Blocked');
    await at.world.ask('admin_block_user', { user_id: blocked });

    const errors = [];
    for (const user_id of [blocked, 'nobody']) {
      const input = { project_id: at.project_id, user_id, instruction_ref: 'chat 42' };
      errors.push(await at.refuse(at.robot, 'tasker_add_existing_project_member', input));
    }

    expect(errors.map(({ code }) => code)).toEqual(['validation_error', 'validation_error']);
    expect(errors[0]?.message).toBe(errors[1]?.message);
    expect(errors[0]?.message).toContain('names no active member');
  });

  it('[TSK-31] requires the instruction from an agent, and not from a person', async () => {
    await using at = await createTrackerWorld();
    const { project_id, world } = at;
    const input = { project_id, user_id: await world.addUser('Ada') };

    const error = await at.refuse(at.robot, 'tasker_add_existing_project_member', input);
    const byPerson = await at.ask(world.owner, 'tasker_add_existing_project_member', input);

    expect(error).toMatchObject({ code: 'validation_error', message: expect.stringContaining('instruction_ref') });
    expect(byPerson).toMatchObject({ added: true });
  });

  it('[TSK-29] gives no role above that in the workspace, and lets no agent give admin', async () => {
    await using at = await createTrackerWorld();
    const { project_id, world } = at;
    const member = await world.addUser('Ada');
    const admin = (await world.ask('admin_add_user', { name: 'Root', role: 'admin' })).user_id;
    const add = (user_id: unknown) => ({ project_id, user_id, role: 'admin', instruction_ref: 'chat 42' });

    const errors = [
      await at.refuse(world.owner, 'tasker_add_existing_project_member', add(member)),
      await at.refuse(at.robot, 'tasker_add_existing_project_member', add(admin)),
    ];
    await at.ask(world.owner, 'tasker_add_existing_project_member', add(admin));

    expect(errors.map(({ code }) => code)).toEqual(['validation_error', 'validation_error']);
  });

  it('opens no user’s todo list to others', async () => {
    await using at = await createTrackerWorld();
    const { world } = at;
    const list = await world.store.reads.projects.todoList(world.owner.workspace_id, world.owner.user_id);
    const project_id = list?.project_id ?? '';
    const robot = await at.agent({ projects: [project_id] });
    const user_id = await world.addUser('Ada');

    const error = await at.refuse(robot, 'tasker_add_existing_project_member', { project_id, user_id });

    expect(error).toMatchObject({ code: 'validation_error', message: expect.stringContaining('todo list') });
  });

  it('changes no role of an existing member', async () => {
    await using at = await createTrackerWorld();
    const user_id = await at.member(at.project_id, 'Ada');

    const error = await at.refuse(at.robot, 'tasker_add_existing_project_member', {
      project_id: at.project_id,
      user_id,
      role: 'guest',
      instruction_ref: 'chat 42',
    });

    expect(error.code).toBe('conflict');
  });

  it('[TSK-30] refuses where membership is managed elsewhere', async () => {
    await using at = await createTrackerWorld({ tracker: { is_local: false } });
    const user_id = await at.world.addUser('Ada');

    const error = await at.refuse(at.robot, 'tasker_add_existing_project_member', {
      project_id: at.project_id,
      user_id,
    });

    expect(error.code).toBe('membership_managed_externally');
  });

  it('[TSK-30] refuses in a workspace whose members another system manages, until that is changed', async () => {
    await using at = await createTrackerWorld();
    const { project_id, world } = at;
    const user_id = await world.addUser('Ada');
    const input = { project_id, user_id, instruction_ref: 'chat 42' };

    await world.ask('admin_update_workspace', { members: 'external' });
    const error = await at.refuse(at.robot, 'tasker_add_existing_project_member', input);
    const members = await world.store.reads.projects.members(world.owner.workspace_id, project_id as ProjectId);
    await world.ask('admin_update_workspace', { members: 'here' });
    const added = await at.ask(at.robot, 'tasker_add_existing_project_member', input);

    expect(error.code).toBe('membership_managed_externally');
    expect(members.map((member) => member.user_id)).not.toContain(user_id);
    expect(added).toMatchObject({ added: true });
  });
});
