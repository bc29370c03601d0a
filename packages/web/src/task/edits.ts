import {
  taskerAppendComment,
  taskerAssignIssue,
  taskerCreateIssue,
  taskerSetIssueLabels,
  taskerUpdateIssue,
  type UpdateTaskBody,
  updateTask,
} from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { onceKey } from '../api/once.ts';
import type { Block, Issue, SeenTask } from '../api/task.ts';
import { writeBlocks, writeTick } from '../api/write-blocks.ts';
import { escaped } from '../text/html-markdown.ts';
import { blocksOf, checkedIn, withBlocks } from './blocks.ts';
import type { Change } from './use-task.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

const withTask =
  (fields: Partial<SeenTask['task']>) =>
  (seen: SeenTask): SeenTask => ({ ...seen, task: { ...seen.task, ...fields } });

const withIssue =
  (fields: Partial<Issue>) =>
  (seen: SeenTask): SeenTask => ({ ...seen, issue: { ...seen.issue, ...fields } });

/**
 * Every change that a person can make to a task: which call it makes, what is shown before the answer, and what Undo
 * does.
 */
export function editsOf({ task_id, task }: SeenTask, change: Change) {
  const update = (fields: UpdateTaskBody) => () => answerOf(updateTask(task_id, fields));
  const dated = (fields: { readonly start_date?: string; readonly target_date?: string }) =>
    change({
      run: () => answerOf(taskerUpdateIssue(task_id, { ...fields, idempotency_key: onceKey() })),
      shown: withIssue(Object.fromEntries(Object.entries(fields).map(([name, day]) => [name, day || undefined]))),
    });
  const changeBlocks = (next: (blocks: readonly Block[]) => readonly Block[]) =>
    change({
      run: () => writeBlocks(task_id, next),
      shown: (seen) => withBlocks(seen, next(blocksOf(seen))),
    });

  return {
    title: (title: string) => change({ run: update({ title }), shown: withTask({ title }) }),
    description: (description: string) =>
      change({ run: update({ description }), shown: withTask({ description: description || null }) }),
    status: (status: string, name: string) =>
      change({
        run: update({ status }),
        shown: withTask({ status }),
        said: `Moved to ${name}`,
        undo: update({ status: task.status }),
      }),
    priority: (priority: SeenTask['task']['priority']) =>
      change({ run: update({ priority }), shown: withTask({ priority }) }),
    blockedBy: (names: readonly string[]) => change({ run: update({ blocked_by: [...names] }) }),
    labels: (labels: readonly Named[]) =>
      change({
        run: () =>
          answerOf(
            taskerSetIssueLabels(task_id, {
              label_ids: labels.map(({ id }) => id),
              mode: 'set',
              idempotency_key: onceKey(),
            }),
          ),
        shown: withIssue({ labels: [...labels] }),
      }),
    people: (people: readonly Named[]) =>
      change({
        run: () =>
          answerOf(
            taskerAssignIssue(task_id, { assignee_ids: people.map(({ id }) => id), idempotency_key: onceKey() }),
          ),
        shown: withIssue({ assignees: [...people] }),
      }),
    due: (target_date: string) => dated({ target_date }),
    start: (start_date: string) => dated({ start_date }),
    tick: (item_id: string, checked: boolean) =>
      change({
        run: () => writeTick(task_id, item_id, checked),
        shown: (seen) => checkedIn(seen, item_id, checked),
      }),
    changeBlocks,
    addSubtask: (name: string) =>
      change({
        run: () =>
          answerOf(taskerCreateIssue(task.project_id, { name, parent_id: task_id, idempotency_key: onceKey() })),
      }),
    comment: (text: string) =>
      answerOf(taskerAppendComment(task_id, { comment_html: escaped(text), idempotency_key: onceKey() })),
  };
}

export type Edits = ReturnType<typeof editsOf>;
