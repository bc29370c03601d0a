import { type ToolTexts, textOf } from '../api/tool-name.ts';

/** What a call did, before the name of the thing: “moved” SHOP-137. */
const DEEDS: ToolTexts = {
  create_task: 'created',
  create_tasks: 'created tasks in',
  update_task: 'changed',
  delete_task: 'deleted',
  next_task: 'claimed',
  todo_add_task: 'created',
  todo_update_task: 'changed',
  todo_complete_task: 'completed or reopened',
  todo_delete_task: 'deleted',
  todo_post_messages: 'kept a conversation of',
  tasker_create_issue: 'created',
  tasker_update_issue: 'changed',
  tasker_move_issue: 'moved',
  tasker_assign_issue: 'assigned',
  tasker_set_issue_labels: 'set the labels of',
  tasker_append_comment: 'commented on',
  tasker_update_structured_blocks: 'changed the criteria of',
  tasker_start_work_session: 'began to work on',
  tasker_finish_work_session: 'finished the work on',
  tasker_add_existing_project_member: 'added a member to',
  start_task_attempt: 'started',
  stop_attempt: 'stopped',
  choose_attempt: 'chose',
  remove_attempt: 'removed the folder of',
  verify_attempt: 'ran the checks of',
  merge_attempt: 'asked to merge',
  rebase_attempt: 'asked to rebase',
  open_pull_request: 'asked for a pull request of',
  follow_up: 'sent a follow-up to',
  send_message: 'wrote to the agent on',
  ask_person: 'asked a person on',
  respond_approval: 'answered the agent on',
  add_review_comment: 'commented on a line of',
  send_review: 'sent the review of',
  resolve_review_comment: 'resolved a comment on',
  create_execution: 'began the run',
  update_execution: 'reported on',
  update_execution_session: 'named the session of',
  add_feed_entry: 'reported on',
  create_step: 'began a step of',
  update_step: 'reported a step of',
  admin_create_agent: 'made the agent',
  admin_grant_agent: 'gave rights to',
  admin_ungrant_agent: 'took a project from',
  admin_rotate_agent: 'rotated the token of',
  admin_revoke_agent: 'revoked all tokens of',
  admin_create_token: 'made',
  admin_revoke_token: 'revoked',
  admin_add_project: 'made the project',
  admin_update_project: 'changed the settings of',
  admin_remove_project: 'removed the project',
  admin_add_repo: 'linked',
  admin_update_repo: 'changed',
  admin_remove_repo: 'unlinked',
  admin_add_member: 'added a member to',
  admin_remove_member: 'removed a member from',
  admin_add_state: 'added',
  admin_update_state: 'changed',
  admin_remove_state: 'removed',
  admin_add_label: 'added',
  admin_update_label: 'changed',
  admin_remove_label: 'removed',
  admin_add_user: 'added',
  admin_update_user: 'changed',
  admin_block_user: 'blocked',
  admin_unblock_user: 'unblocked',
  admin_remove_user: 'removed',
  admin_sign_in: 'signed in with a password',
  admin_redeem_sign_in: 'signed in with a link',
  admin_set_first_admin: 'became the first admin',
  admin_set_password: 'set the password of',
  admin_change_password: 'changed the password of',
  admin_create_sign_in: 'made a sign-in link for',
  admin_end_session: 'signed out a browser of',
  admin_update_workspace: 'changed the settings of',
  admin_import_projects: 'imported projects into',
  show_presence: 'opened a page of the board',
  end_presence: 'closed a page of the board',
};

/** What Errand did by itself, after a call that asked for it. */
const ENDINGS: Readonly<Record<string, string>> = {
  'merge_attempt.done': 'merged',
  'rebase_attempt.done': 'rebased',
  'open_pull_request.done': 'opened a pull request for',
  'pull_request.merged': 'saw the pull request merged of',
};

/** Deeds whose sentence is whole without a thing. */
const WHOLE: ReadonlySet<string> = new Set([
  'admin_sign_in',
  'admin_redeem_sign_in',
  'admin_set_first_admin',
  'show_presence',
  'end_presence',
]);

/** The sentence of a deed: its words, then its thing; of a step, which has a name and a run, both. */
export interface Sentence {
  readonly words: string;
  readonly shows: 'nothing' | 'thing' | 'step';
}

const STEPS: ToolTexts = { create_step: 'began the step', update_step: 'reported on the step' };

/** How a row says what was done; null for a tool without words. */
export function sentenceOf({
  action,
  entity_id,
}: {
  readonly action: string;
  readonly entity_id: string | null;
}): Sentence | null {
  if (action === 'next_task' && entity_id === null)
    return { words: 'asked for a task, and found none', shows: 'nothing' };
  const step = textOf(STEPS, action);
  if (step !== undefined) return { words: step, shows: 'step' };
  const words = deedOf(action);
  return words === null ? null : { words, shows: WHOLE.has(action) ? 'nothing' : 'thing' };
}

/** The words of a deed that people know; null for one that only its name tells. */
export const deedOf = (action: string): string | null => ENDINGS[action] ?? textOf(DEEDS, action) ?? null;

/** Whether Errand did it by itself, for somebody. */
export const isEnding = (action: string): boolean => Object.hasOwn(ENDINGS, action);

interface Named {
  readonly id: string;
  /** As rows say it. */
  readonly label: string;
  /** The name of the tool, where several have the same words. */
  readonly note?: string;
}

/** What can be chosen among these deeds, in the words of their rows and in their order. */
export function deedsIn(actions: readonly string[]): readonly Named[] {
  const named = [...new Set(actions)].map((id) => ({ id, label: deedOf(id) ?? id }));
  const isAlone = (label: string): boolean => named.filter((other) => other.label === label).length === 1;
  return named
    .map(({ id, label }) => (isAlone(label) ? { id, label } : { id, label, note: id }))
    .toSorted((a, b) => a.label.localeCompare(b.label) || a.id.localeCompare(b.id));
}
