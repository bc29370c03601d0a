import { describe, expect, it } from 'vitest';
import { aBoard, aWorker } from '#testing/attempts';
import { createWorld, type World } from '#testing/world';

const OPTIONS = [
  { option: 'always', name: 'Always allow', kind: 'allow_always' },
  { option: 'once', name: 'Allow', kind: 'allow_once' },
  { option: 'never', name: 'Never', kind: 'reject_always' },
  { option: 'no', name: 'Reject', kind: 'reject_once' },
];

/** An agent that asks something. */
async function aQuestion(world: World, kind: 'permission' | 'question', options: readonly unknown[] = OPTIONS) {
  const board = await aBoard(world);
  const worker = await aWorker(world);
  const { attempt_id } = await board.start();
  const run = await worker.take();
  const question = kind === 'permission' ? 'Run npm test?' : 'Which port?';
  const approval_id = await worker.log.ask(run, {
    kind,
    question,
    details: 'npm test',
    options: JSON.stringify(kind === 'permission' ? options : []),
  });
  return { ...board, worker, run, attempt_id, approval_id };
}

describe('respond_approval', () => {
  it('shows the whole question with the attempt, and removes it when it is answered', async () => {
    await using world = await createWorld();
    const { attempt_id, approval_id, run, worker } = await aQuestion(world, 'permission');
    const before = await world.ask('get_attempt', { attempt_id });

    const answered = await world.ask('respond_approval', { approval_id, option: 'always' });

    expect(before).toMatchObject({
      pending_approvals: 1,
      approvals: [
        { approval_id, kind: 'permission', question: 'Run npm test?', details: 'npm test', options: OPTIONS },
      ],
    });
    expect(answered).toMatchObject({ approval_id, attempt_id, status: 'approved', option: 'always' });
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ pending_approvals: 0, approvals: [] });
    expect(await worker.log.answered(run)).toMatchObject([
      { id: approval_id, status: 'approved', option: 'always', answered_by_user_id: world.owner.user_id },
    ]);
  });

  it.each(['SHO-1', 'sho-1.1'])('[L-KEY] takes %s for its only open question', async (name) => {
    await using world = await createWorld();
    const { approval_id, run, worker } = await aQuestion(world, 'permission');
    const other = await worker.log.ask(run, {
      kind: 'question',
      question: 'Which port?',
      details: null,
      options: '[]',
    });

    const several = await world.refuse('respond_approval', { approval_id: name, decision: 'approve' });
    await world.ask('respond_approval', { approval_id: other, answer: '8080' });
    const answered = await world.ask('respond_approval', { approval_id: name, decision: 'approve' });
    const none = await world.refuse('respond_approval', { approval_id: name, decision: 'approve' });

    expect(several).toMatchObject({
      code: 'ambiguous',
      message: `"${name}" can mean 2 questions.`,
      hint: expect.stringContaining('(Which port?)'),
    });
    expect(answered).toMatchObject({ approval_id, status: 'approved' });
    expect(none).toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['approve', OPTIONS, { status: 'approved', option: 'once' }],
    ['deny', OPTIONS, { status: 'denied', option: 'no' }],
    ['approve', OPTIONS.slice(0, 1), { status: 'approved', option: 'always' }],
    ['deny', OPTIONS.slice(2, 3), { status: 'denied', option: 'never' }],
    ['deny', OPTIONS.slice(0, 2), { status: 'denied', option: null }],
  ] as const)('with %s chooses the option for this time only, if there is one', async (decision, options, answer) => {
    await using world = await createWorld();
    const { approval_id } = await aQuestion(world, 'permission', options);

    expect(await world.ask('respond_approval', { approval_id, decision })).toMatchObject(answer);
  });

  it('accepts free text for a question', async () => {
    await using world = await createWorld();
    const { approval_id, run, worker } = await aQuestion(world, 'question');

    const answered = await world.ask('respond_approval', { approval_id, answer: ' 8080 ' });

    expect(answered).toMatchObject({ status: 'approved', option: null });
    expect(await worker.log.answered(run)).toMatchObject([{ answer: '8080' }]);
  });

  it.each([
    ['nothing', 'permission', {}],
    ['two answers', 'permission', { decision: 'approve', option: 'once' }],
    ['an option that there is not', 'permission', { option: 'yes' }],
    ['words to a permission', 'permission', { answer: 'Yes.' }],
    ['a decision to a question', 'question', { decision: 'approve' }],
    ['no words to a question', 'question', { answer: ' ' }],
  ] as const)('is refused with %s', async (_, kind, response) => {
    await using world = await createWorld();
    const { attempt_id, approval_id } = await aQuestion(world, kind);

    const refused = await world.refuse('respond_approval', { approval_id, ...response });

    expect(refused.code).toBe('validation_error');
    expect(await world.ask('get_attempt', { attempt_id })).toMatchObject({ pending_approvals: 1 });
  });

  it('refuses an answered question, and says how and when it was answered', async () => {
    await using world = await createWorld();
    const { approval_id } = await aQuestion(world, 'permission');
    await world.ask('respond_approval', { approval_id, decision: 'deny' });
    const at = new Date(world.time.now).toISOString();
    world.time.now += 1_000;

    const refused = await world.refuse('respond_approval', { approval_id, decision: 'approve' });

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining(`denied at ${at}`) });
  });

  it('is refused when the run has ended', async () => {
    await using world = await createWorld();
    const { approval_id, worker, run } = await aQuestion(world, 'permission');
    await worker.finish(run, { status: 'failed', reason: 'exit 1' }, []);

    const refused = await world.refuse('respond_approval', { approval_id, decision: 'approve' });

    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('expired') });
  });

  it('sends an event to every follower', async () => {
    await using world = await createWorld();
    const { approval_id } = await aQuestion(world, 'permission');
    const after = await world.store.reads.events.head();

    await world.ask('respond_approval', { approval_id, decision: 'approve' });

    const events = await world.store.reads.events.page({ after, limit: 50 });
    expect(events).toMatchObject([{ kind: 'approval.updated', entity_id: approval_id }]);
  });

  it('is refused for the agent that asks', async () => {
    await using world = await createWorld();
    const { approval_id, attempt_id, run } = await aQuestion(world, 'permission');
    const agent = await world.gateway.authenticate(run.secret);

    const refused = await world.refuse('respond_approval', { approval_id, decision: 'approve' }, agent);

    expect(refused).toMatchObject({ code: 'insufficient_scope', message: expect.stringContaining('board:run') });
    expect(await world.ask('get_attempt', { attempt_id }, agent)).toMatchObject({ pending_approvals: 1 });
  });

  it('answers a foreign question like an unknown one', async () => {
    await using world = await createWorld();
    const { approval_id } = await aQuestion(world, 'permission');
    const user_id = await world.addUser('Ann');
    const { project_id } = await world.ask('admin_add_project', { name: 'Other' });
    await world.ask('admin_add_member', { project_id, user_id, role: 'member' });
    const ann = await world.callerWith({ user_id, scopes: ['board:read', 'board:run'] });
    const unknown = '10000000-0000-7000-8000-000000000001';
    const refuse = (id: string) => world.refuse('respond_approval', { approval_id: id, decision: 'approve' }, ann);

    const foreign = await refuse(approval_id);
    const none = await refuse(unknown);

    expect(foreign.code).toBe('not_found');
    expect({ ...foreign, correlation_id: '', message: foreign.message.replace(approval_id, unknown) }).toEqual({
      ...none,
      correlation_id: '',
    });
  });
});
