import { expect, it } from 'vitest';
import { listenTo } from '../../../packages/server/src/testing/event-client.ts';
import { openSite } from './site.ts';
import { isAsking, openStage } from './stage.ts';
import { WAYS } from './ways.ts';

const [way = expect.unreachable()] = WAYS;

it('listeners get tasks, attempts, runs and questions as they happen, and other users get none of them', async () => {
  await using site = await openSite('sqlite');
  const stage = await openStage(site, way, await way.connect(site, site.token));
  const elsewhere = await site.project();
  const stranger = await site.admin('create_agent', {
    name: 'Stranger',
    project_ids: [elsewhere.project_id],
    scopes: ['board:read', 'execution:report'],
  });
  const stream = await listenTo(site.origin, { token: site.token });
  const deaf = await listenTo(site.origin, { token: String(stranger.token) });

  const { task_id, attempt_id, execution_id } = await stage.start(['ask Go on?'], { executor: 'asking' });
  const { approvals } = await stage.until(attempt_id, isAsking);
  const approval_id = String(approvals[0]?.approval_id);
  await stage.call('respond_approval', { approval_id, decision: 'deny' });
  await stage.rested(attempt_id);
  const hasReceived = (kind: string, id: string) =>
    stream.changes().some(({ kind: heard, data }) => heard === kind && data.entity_id === id);
  const expected = [
    ['work_item.created', task_id],
    ['work_item.updated', task_id],
    ['attempt.created', attempt_id],
    ['attempt.updated', attempt_id],
    ['execution.created', execution_id],
    ['execution.updated', execution_id],
    ['approval.created', approval_id],
    ['approval.updated', approval_id],
  ] as const;
  await stream.until(() => expected.every(([kind, id]) => hasReceived(kind, id)));
  const last = await stage.call('create_task', { project_id: elsewhere.project_id, title: 'For the stranger' });
  await deaf.until(() => deaf.changes().length > 0);

  const first = (kind: string) => stream.changes().findIndex((change) => change.kind === kind);
  expect(first('attempt.created')).toBeLessThan(first('approval.created'));
  expect(first('approval.created')).toBeLessThan(first('approval.updated'));
  expect(deaf.changes()).toMatchObject([{ kind: 'work_item.created', data: { entity_id: last.task_id } }]);
  for (const { cut } of [stream, deaf]) cut();
});
