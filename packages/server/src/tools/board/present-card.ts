import { z } from 'zod';
import { shortText } from '#domain/answer-size';
import { ApprovalOption } from '#domain/approval';
import { ChangedFile } from '#domain/attempt';
import { ATTEMPT_STATES } from '#domain/attempt-state';
import { blocksOf, DetailLayout } from '#domain/blocks';
import { taskKey } from '#domain/key';
import { Liveness, type Run, RunStatus, type Step, StepStatus } from '#domain/run';
import { Priority } from '#domain/work-item';
import type { Services } from '#services/services';
import { rfc3339, rfc3339OrNull, time } from '#tools/time';
import { shortName, uuid, uuidOrNull } from './fields.ts';
import { verdict } from './present.ts';

type Board = Awaited<ReturnType<Services['board']['cards']>>;
type SeenCard = Board['columns'][number]['cards'][number];
type Parts = Board['parts'];

const MAX_QUESTION_CHARACTERS = 1_000;

const done = z.object({ done: z.int().describe('How many are done.'), total: z.int().describe('How many there are.') });

const StepBar = z.object({
  done: z.int().describe('Steps that have ended.'),
  total: z.int().describe('Steps, with those that are planned.'),
  statuses: z
    .array(StepStatus.or(z.literal('planned')))
    .describe('Each step in order: running, completed, failed, skipped or planned; empty for more than 24.'),
  failed: z.int().describe('Steps that failed.'),
  skipped: z.int().describe('Steps that were skipped.'),
  running: z.int().describe('Steps that run.'),
  current: z.string().nullable().describe('Name of the latest step; null before the first.'),
});

const question = z.object({
  approval_id: uuid('Question (UUID), as respond_approval takes it.'),
  kind: z.enum(['permission', 'question']).describe('permission or question.'),
  text: z.string().describe('The question in one line.'),
  details: z.string().nullable().describe('A command or a change that it is about; null for none.'),
  options: z.array(ApprovalOption).describe('What it can be answered with; empty for any text.'),
  since: time.describe('Asked (RFC 3339).'),
});

const named = z.object({ id: uuid('Id (UUID).'), name: z.string().describe('Name.') });

/** A task as the board shows it to people. */
export const card = z.object({
  task_id: uuid('Task (UUID).'),
  key: shortName('Short name, such as WEB-12; null for none.'),
  title: z.string().describe('Title.'),
  priority: Priority.describe('Urgency: none, low, medium, high or urgent.'),
  is_ready: z.boolean().describe('Whether it can begin now.'),
  sort_order: z.number().describe('Place in its column: smaller comes first.'),
  created_at: time.describe('Made (RFC 3339).'),
  updated_at: time.describe('Changed (RFC 3339).'),
  completed_at: time.nullable().describe('Completed (RFC 3339); null before that.'),
  target_date: z.string().nullable().describe('Due on this day; null for none.'),
  labels: z.array(named).describe('Labels.'),
  people: z.array(named).describe('Assignees.'),
  criteria: done.describe('Items of its checkers.'),
  children: done.describe('Its sub-tasks.'),
  blocked_by: z.array(z.string()).describe('Keys of open tasks to complete first.'),
  unread_messages: z.int().describe('Messages that no agent has read yet.'),
  claim: z
    .object({
      name: z.string().describe('Who works on it.'),
      agent_id: uuidOrNull('Agent (UUID); null for a person.'),
      claimed_at: time.describe('Since (RFC 3339).'),
      expires_at: time.describe('Until (RFC 3339).'),
    })
    .nullable()
    .describe('Who has claimed it; null when nobody has.'),
  attempt: z
    .object({
      attempt_id: uuid('Attempt (UUID).'),
      key: shortName('Short name; null for none.'),
      state: z
        .enum(ATTEMPT_STATES)
        .describe('queued, running, needs_you, review, failed, stopped, merged or archived.'),
      verdict,
      branch: z.string().nullable().describe('Git branch; null for none: one without a commit of its own is removed.'),
      executor: z.string().nullable().describe('Executor; null for none.'),
      failure: z.string().nullable().describe('Why its latest run failed; null when it did not.'),
      added: z.int().describe('Lines added.'),
      removed: z.int().describe('Lines removed.'),
    })
    .nullable()
    .describe('Its newest attempt; null for none.'),
  run: z
    .object({
      execution_id: uuid('Run (UUID).'),
      status: RunStatus.describe('queued, running, completed, failed, killed or interrupted.'),
      liveness: Liveness.describe('live, quiet or stalled.'),
      agent: named.nullable().describe('Agent; null for none.'),
      client: z.string().nullable().describe('Program that it runs in, with version; null for unknown.'),
      started_at: time.describe('Begun (RFC 3339).'),
      seen_at: time.describe('Last report (RFC 3339).'),
      ended_at: time.nullable().describe('Ended (RFC 3339); null before that.'),
      steps: StepBar.describe('Its steps.'),
    })
    .nullable()
    .describe('Its newest run; null for none.'),
  question: question.nullable().describe('The oldest question that waits; null for none.'),
});

const PlanEntries = z.array(z.object({ status: z.string() }));

/** How many entries of its plan have no step yet; a run that failed shows how far it came. */
export const plannedOf = ({ plan, status }: Pick<Run, 'plan' | 'status'>): number =>
  plan === null || status === 'completed'
    ? 0
    : PlanEntries.parse(JSON.parse(plan)).filter((entry) => entry.status === 'pending').length;

const Files = z.array(ChangedFile);

/** How many lines were added and removed in all repositories of an attempt, of JSON of `ChangedFile[]`. */
export function linesOf(repos: readonly { readonly files: string | null }[]) {
  const files = repos.flatMap((repo) => (repo.files === null ? [] : Files.parse(JSON.parse(repo.files))));
  return {
    files: files.length,
    added: files.reduce((sum, { insertions }) => sum + (insertions ?? 0), 0),
    removed: files.reduce((sum, { deletions }) => sum + (deletions ?? 0), 0),
  };
}

/** The parts of all cards by what they belong to: looking through all of them for each card takes too long. */
export function partsByTask(parts: Parts) {
  const byTask = <Thing extends { readonly work_item_id: string }>(things: readonly Thing[]) => {
    const found = Map.groupBy(things, ({ work_item_id }) => work_item_id);
    return (id: string): readonly Thing[] => found.get(id) ?? [];
  };
  const byRun = <Thing extends { readonly execution_id: string }>(things: readonly Thing[]) => {
    const found = Map.groupBy(things, ({ execution_id }) => execution_id);
    return (id: string): readonly Thing[] => found.get(id) ?? [];
  };
  const facts = new Map<string, (typeof parts.facts)[number]>(parts.facts.map((each) => [each.id, each]));
  return {
    facts: (id: string) => facts.get(id),
    labels: byTask(parts.labels),
    people: byTask(parts.people),
    claims: byTask(parts.claims),
    blockers: byTask(parts.blockers),
    questions: byTask(parts.questions),
    runs: byTask(parts.runs),
    files: byTask(parts.files),
    steps: byRun(parts.steps),
    stepCounts: byRun(parts.step_counts),
  };
}

type PartsByTask = ReturnType<typeof partsByTask>;

function stepsOf(parts: PartsByTask, run: Parts['runs'][number]): z.output<typeof StepBar> {
  const steps = parts.steps(run.id);
  const current = steps.at(-1)?.name ?? null;
  const counted = parts.stepCounts(run.id);
  const countOf = (wanted: Step['status']): number =>
    counted.length > 0
      ? Number(counted.find(({ status }) => status === wanted)?.count ?? 0)
      : steps.filter(({ status }) => status === wanted).length;
  const planned = Array<'planned'>(plannedOf(run)).fill('planned');
  const all = Math.max(run.step_count, steps.length);
  return {
    done: all - countOf('running'),
    total: all + planned.length,
    statuses: counted.length > 0 ? [] : [...steps.map(({ status }) => status), ...planned],
    failed: countOf('failed'),
    skipped: countOf('skipped'),
    running: countOf('running'),
    current,
  };
}

export function criteriaOf(layout: string | null): z.output<typeof done> {
  const blocks = layout === null ? [] : blocksOf(DetailLayout.parse(JSON.parse(layout)));
  const items = blocks.flatMap((block) => (block.type === 'checker' ? block.items : []));
  return { done: items.filter(({ checked }) => checked).length, total: items.length };
}

/** Whether the branch holds no commit: it was removed when the run ended. */
const isUnused = (repos: Parts['files']): boolean =>
  repos.length > 0 &&
  repos.every(({ base_commit, head_commit }) => head_commit !== null && head_commit === base_commit);

function attemptOf(parts: PartsByTask, { row }: SeenCard): z.output<typeof card>['attempt'] {
  if (row.latest_attempt_id === null || row.attempt_state === null) return null;
  const repos = parts.files(row.id);
  const { added, removed } = linesOf(repos);
  return {
    attempt_id: row.latest_attempt_id,
    key: row.latest_attempt_key,
    state: row.attempt_state,
    verdict: row.verdict,
    branch: isUnused(repos) ? null : row.latest_branch,
    executor: row.latest_session_executor,
    failure: row.last_failure_line,
    added,
    removed,
  };
}

function runOf(parts: PartsByTask, { row }: SeenCard): z.output<typeof card>['run'] {
  const [run] = parts.runs(row.id);
  if (run === undefined) return null;
  return {
    execution_id: run.id,
    status: run.status,
    liveness: run.liveness,
    agent: run.agent_id === null ? null : { id: run.agent_id, name: run.agent_name ?? '' },
    client: run.client,
    started_at: rfc3339(run.started_at),
    seen_at: rfc3339(run.seen_at),
    ended_at: rfc3339OrNull(run.ended_at),
    steps: stepsOf(parts, run),
  };
}

function questionOf(parts: PartsByTask, { row }: SeenCard): z.output<typeof question> | null {
  const [asked] = parts.questions(row.id);
  if (asked === undefined) return null;
  return {
    approval_id: asked.id,
    kind: asked.kind,
    text: shortText(asked.question, MAX_QUESTION_CHARACTERS),
    details: asked.details === null ? null : shortText(asked.details, MAX_QUESTION_CHARACTERS),
    options: z.array(ApprovalOption).parse(JSON.parse(asked.options)),
    since: rfc3339(asked.created_at),
  };
}

export function cardOf(parts: PartsByTask, seen: SeenCard): z.output<typeof card> {
  const { row, is_ready } = seen;
  const facts = parts.facts(row.id);
  const [claim] = parts.claims(row.id);
  const children = Number(facts?.children ?? 0);
  return {
    task_id: row.id,
    key: row.key,
    title: row.title,
    priority: row.priority,
    is_ready,
    sort_order: facts?.sort_order ?? 0,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    completed_at: rfc3339OrNull(facts?.completed_at ?? null),
    target_date: facts?.target_date ?? null,
    labels: parts.labels(row.id).map(({ id, name }) => ({ id, name })),
    people: parts.people(row.id).map(({ id, name }) => ({ id, name })),
    criteria: criteriaOf(facts?.detail_layout ?? null),
    children: { done: children - Number(facts?.open_children ?? 0), total: children },
    blocked_by: parts.blockers(row.id).flatMap(({ project_key, number }) => taskKey(project_key, number) ?? []),
    unread_messages: Number(facts?.unread_messages ?? 0),
    claim:
      claim === undefined
        ? null
        : {
            name: claim.name,
            agent_id: claim.agent_id,
            claimed_at: rfc3339(claim.claimed_at),
            expires_at: rfc3339(claim.lease_until),
          },
    attempt: attemptOf(parts, seen),
    run: runOf(parts, seen),
    question: questionOf(parts, seen),
  };
}
