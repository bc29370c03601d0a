import type { StoryRow } from '../api/task.ts';
import { type ToolTexts, textOf } from '../api/tool-name.ts';

/** An entry of the story: equal changes one after another are one entry. */
export interface StoryEntry extends StoryRow {
  readonly times: number;
}

/** What a call did, in the words of a person. The story of a task knows who changed it and by which call. */
const DEEDS: ToolTexts = {
  create_task: 'created the task',
  create_tasks: 'created the task',
  tasker_create_issue: 'created the task',
  todo_add_task: 'created the task',
  update_task: 'changed the task',
  tasker_update_issue: 'changed the task',
  todo_update_task: 'changed the task',
  todo_complete_task: 'completed the task',
  tasker_move_issue: 'moved the task',
  tasker_set_issue_labels: 'set the labels',
  tasker_assign_issue: 'changed who it is assigned to',
  tasker_update_structured_blocks: 'changed the criteria',
  next_task: 'claimed the task',
  choose_attempt: 'chose an attempt',
};

export const deedOf = (action: string): string => textOf(DEEDS, action) ?? `called ${action}`;

/** What became of a question: the words of its answer, or why it has none. */
export function answerOf({ kind, status, answer }: NonNullable<StoryRow['question']>): string {
  if (answer !== null) return answer;
  if (status === 'pending') return 'Waits for an answer';
  if (status === 'expired') return 'Nobody answered while it mattered';
  if (kind === 'question') return status === 'approved' ? 'Yes' : 'You decide';
  return status === 'approved' ? 'Approved' : 'Denied';
}

const isSame = (one: StoryRow, other: StoryRow): boolean =>
  one.kind === 'change' && other.kind === 'change' && one.action === other.action && one.by?.id === other.by?.id;

/** The story oldest first: the newest entry is beside the composer. */
export function storyOf(newestFirst: readonly StoryRow[]): readonly StoryEntry[] {
  const entries: StoryEntry[] = [];
  for (const row of newestFirst.toReversed()) {
    const before = entries.at(-1);
    if (before !== undefined && isSame(before, row)) entries[entries.length - 1] = { ...row, times: before.times + 1 };
    else entries.push({ ...row, times: 1 });
  }
  return entries;
}
