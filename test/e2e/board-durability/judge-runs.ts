import type { Database, Row } from '../database.ts';
import { type AgentLog, markOf } from './agent-log.ts';

/** A stored run, with the notes of its agent. */
export interface StoredRun {
  readonly id: string;
  readonly attempt_id: string;
  readonly key: string;
  readonly status: string;
  readonly reason: string | null;
  readonly starts: number;
}

const RUNS = `
  select executions.id, executions.attempt_id, executions.status, executions.reason, runs.prompt
  from executions join runs on runs.execution_id = executions.id order by executions.id`;

export async function storedRuns(database: Database, agents: AgentLog): Promise<readonly StoredRun[]> {
  const starts = Map.groupBy(
    agents.notes().filter(({ event }) => event === 'start'),
    ({ execution_id }) => execution_id,
  );
  return (await database.rows(RUNS)).map(({ id, attempt_id, status, reason, prompt }) => ({
    id: String(id),
    attempt_id: String(attempt_id),
    key: markOf(String(prompt)) ?? '',
    status: String(status),
    reason: reason === null ? null : String(reason),
    starts: starts.get(String(id))?.length ?? 0,
  }));
}

const END = /^(?:completed|failed|killed|interrupted)(?::|$)/;

/** Checks each run: it started at most once, and ended once, with its last message. */
export async function judgeRuns(database: Database, runs: readonly StoredRun[]): Promise<readonly string[]> {
  const entries = Map.groupBy(
    await database.rows('select execution_id, kind, text from feed_entries order by execution_id, seq'),
    ({ execution_id }) => String(execution_id),
  );
  return runs.flatMap(({ id, key, status, reason, starts }) => {
    const found: string[] = [];
    const say = (words: string): void => void found.push(`run ${key} (${id}, ${status}): ${words}`);
    const feed: readonly Row[] = entries.get(id) ?? [];
    const isEnd = ({ kind, text }: Row): boolean => kind === 'status' && END.test(String(text));
    const last = feed.at(-1);
    if (starts > 1) say(`was started ${starts} times`);
    if (starts === 0 && !isExcused(status, reason)) say(`was never started: ${reason}`);
    const ends = feed.filter(isEnd).map(({ text }) => String(text));
    if (ends.length !== 1) say(`ended ${ends.length} times: ${ends.join(', ')}`);
    if (last !== undefined && !isEnd(last)) say(`went on after its end: ${String(last.text).slice(0, 100)}`);
    return found;
  });
}

/** True when a run may end without its agent: it was stopped, or it has a reason. */
const isExcused = (status: string, reason: string | null): boolean =>
  status === 'killed' || (status === 'interrupted' && reason !== null);

/** Checks the agents' own notes: each script was played at most once. */
export function judgeScripts(agents: AgentLog): readonly string[] {
  const played = Map.groupBy(
    agents.notes().filter(({ event }) => event === 'prompt'),
    ({ prompt }) => markOf(prompt ?? ''),
  );
  return [...played].flatMap(([key, notes]) =>
    notes.length > 1 ? [`script ${key}: played ${notes.length} times`] : [],
  );
}

/** Checks attempts: each has the status of its latest run, and questions are open and answered only while that runs. */
export async function judgeAttempts(database: Database, runs: readonly StoredRun[]): Promise<readonly string[]> {
  const latest = new Map(runs.map((run) => [run.attempt_id, run.status]));
  const standing = await database.rows('select id, run_status from attempts');
  const asking = await database.rows(`
    select approvals.id, executions.status from approvals join executions on executions.id = approvals.execution_id
    where approvals.status = 'pending' and executions.status <> 'running'`);
  const late = await database.rows(`
    select approvals.id, approvals.status from approvals join executions on executions.id = approvals.execution_id
    where approvals.answered_at > executions.ended_at`);
  return [
    ...standing.flatMap(({ id, run_status }) =>
      run_status === latest.get(String(id))
        ? []
        : [`attempt ${id}: ${run_status}, its latest run ${latest.get(String(id))}`],
    ),
    ...asking.map(({ id, status }) => `approval ${id}: pending, its run ${status}`),
    ...late.map(({ id, status }) => `approval ${id}: ${status} after the end of its run`),
  ];
}
