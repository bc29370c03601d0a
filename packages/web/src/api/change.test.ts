import { expect, it } from 'vitest';
import { type Change, shownBy } from './change.ts';
import { isShownBy } from './refresh.ts';

const aChange = (kind: string, facts: Partial<Change> = {}): Change => ({
  seq: 1,
  at: '2026-01-02T03:04:05.000Z',
  kind,
  entity_id: null,
  execution_id: null,
  task_id: null,
  project_id: null,
  actor: null,
  data: null,
  ...facts,
});

/** Whether a change reaches a query with this key and answer. */
const reaches = (change: Change, queryKey: readonly string[], data?: unknown): boolean =>
  shownBy(change).some((shown) => isShownBy({ queryKey, state: { data } as never }, shown));

it('reads the page, the board and the list of a changed task again, and no others', () => {
  const change = aChange('work_item.updated', { entity_id: 't1', project_id: 'p1' });

  expect(reaches(change, ['task', 'SHO-1'], { task_id: 't1', project_id: 'p1' })).toBe(true);
  expect(reaches(change, ['task', 'SHO-2'], { task_id: 't2', project_id: 'p1' })).toBe(false);
  expect(reaches(change, ['board', 'SHO'], { project_id: 'p1' })).toBe(true);
  expect(reaches(change, ['board', 'API'], { project_id: 'p2' })).toBe(false);
  expect(reaches(change, ['agents'])).toBe(false);
});

it('leaves whole boards alone when it knows which card has changed', () => {
  const change = aChange('step.created', { task_id: 't1', project_id: 'p1' });
  const gone = aChange('work_item.deleted', { task_id: 't1', entity_id: 't1', project_id: 'p1' });

  expect(reaches(change, ['board', 'SHO'], { project_id: 'p1' })).toBe(false);
  expect(reaches(change, ['board', 'p1', 'card', 't1'], { project_id: 'p1' })).toBe(true);
  expect(reaches(change, ['board', 'p1', 'card', 't2'], { project_id: 'p1' })).toBe(false);
  expect(reaches(change, ['board', 'p1', 'subtasks', 't2'], { project_id: 'p1' })).toBe(true);
  expect(reaches(gone, ['board', 'SHO'], { project_id: 'p1' })).toBe(true);
  expect(reaches(gone, ['tasks', 'SHO'], { project_id: 'p1' })).toBe(true);
});

it('reads what is named by its id again before its answer has come', () => {
  expect(reaches(aChange('execution.updated', { execution_id: 'e1' }), ['run', 'e1'])).toBe(true);
});

it('reads answers about many things again', () => {
  expect(reaches(aChange('work_item.updated', { entity_id: 't1' }), ['task', 'SHO-1', 'story'], { pages: [] })).toBe(
    true,
  );
});

it('reads the activity again after any change, also of a kind that it does not know', () => {
  expect(reaches(aChange('something.new'), ['activity'])).toBe(true);
});
