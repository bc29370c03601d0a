import { say } from '#advice';
import type { ProjectId, RunId } from '#domain/ids';
import { plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import { newRun, type Run } from '#domain/run';
import { ErrandError } from '#errors';
import type { Ports } from '#services/ports';
import { changeRun } from '#services/runs/change-run';
import { runEvent } from '#services/runs/run-events';
import type { ReadWork, TrackerWork } from '#services/work';
import type { IssueComment, TaskerAdapter } from './adapter.ts';
import { issueOf, noIssue, onlyIn, projectOf } from './lookup.ts';
import { createSessionReport } from './session-report.ts';

/** A run on a project that the tracker knows. */
export type WorkSession = Run & { readonly project_id: ProjectId };

interface SessionStart {
  readonly project_id?: ProjectId | undefined;
  readonly issue_id?: string | undefined;
}

interface SessionReport {
  readonly work_session_id: RunId;
  readonly summary: string;
  /** One line per check. */
  readonly validation?: string | undefined;
}

interface FinishedSession {
  readonly session: WorkSession;
  /** The comment on the issue; null when the session was about a whole project, or its issue was deleted. */
  readonly comment: IssueComment | null;
  /** False when the note on the issue was cut or left out, because the card has no room for it. */
  readonly is_note_whole: boolean;
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The only project that the call can mean, when it names none. */
function onlyProject({ within }: ReadWork): ProjectId {
  const [project, ...others] = within.project_ids === 'all' ? [] : within.project_ids;
  if (project !== undefined && others.length === 0) return project;
  throw refusal(
    'project_id',
    say`is required, unless ${{ field: 'issue_id' }} is given`,
    say`${{ call: 'tasker_list_projects' }} for ids and keys.`,
  );
}

const finished = (summary: string, now: number) =>
  ({ status: 'completed', reason: null, summary, seen_at: now, liveness: 'live', ended_at: now }) as const;

/** Work sessions of agents that work elsewhere: each is a run that Errand did not start. */
export function createWorkSessions({ ids }: Ports, adapter: TaskerAdapter) {
  const report = createSessionReport({ ids }, adapter);

  async function ownSession({ tx, caller, within, rightsIn }: TrackerWork, id: RunId): Promise<WorkSession> {
    const session = await tx.runs.find(within, id);
    const isOwn = session?.user_id === caller.user_id && session.agent_id === caller.agent_id;
    if (session === null || session.project_id === null || session.kind !== 'external' || !isOwn) {
      throw new ErrandError('not_found', `No work session ${id} of yours in the projects where you may do this.`, {
        hint: say`${{ tool: 'tasker_start_work_session' }} starts one and answers its id.`,
      });
    }
    rightsIn(session.project_id);
    if (session.ended_at === null) return { ...session, project_id: session.project_id };
    throw new ErrandError('conflict', `Work session ${id} is finished already.`, {
      hint: [
        say`Start another with ${{ tool: 'tasker_start_work_session' }}.`,
        say`Add to the issue with ${{ tool: 'tasker_append_comment' }}.`,
      ],
    });
  }

  return {
    start: async (work: TrackerWork, { project_id, issue_id }: SessionStart): Promise<WorkSession> => {
      const issue = issue_id === undefined ? null : await issueOf(adapter, work, issue_id);
      if (issue !== null && (project_id ?? issue.project_id) !== issue.project_id) throw noIssue(issue.id);
      const project = await projectOf(work, issue?.project_id ?? project_id ?? onlyProject(work));

      const session = await work.transaction(async (tx) => {
        const started = {
          ...newRun({
            kind: 'external',
            id: ids(),
            workspace_id: project.workspace_id,
            project_id: project.id,
            work_item_id: issue?.id ?? null,
            user_id: work.caller.user_id,
            agent_id: work.caller.agent_id,
            agent_session_id: work.client_facts.session_id ?? null,
            worktree_path: work.client_facts.folder ?? null,
            branch: work.client_facts.branch ?? null,
            client: work.client_facts.client ?? null,
            started_at: tx.now,
          }),
          project_id: project.id,
        };
        await tx.runs.insert(started);
        tx.emit(runEvent('created', started, work.caller));
        return started;
      });
      work.changed(null, session);
      return session;
    },

    /** Ends the session after its report is on the issue: a call that fails half-way can be repeated. */
    finish: async (
      work: TrackerWork,
      { work_session_id, summary, validation = '' }: SessionReport,
    ): Promise<FinishedSession> => {
      const { work_item_id } = await ownSession(work, work_session_id);
      const checks = linesOf(validation).map((line) => `- ${plainText('validation', line)}`);
      const words = [plainText('summary', summary), ...(checks.length > 0 ? ['Validation:', ...checks] : [])].join(
        '\n',
      );

      return adapter.exclusively(work, work_item_id ?? work_session_id, async () => {
        // Read it again: another call may have finished it while this one waited.
        const session = await ownSession(work, work_session_id);
        const within = onlyIn(work.within, session.project_id);
        const issue = work_item_id === null ? null : await adapter.find(work, within, work_item_id);
        const reported = issue === null ? null : await report(work, issue, { session_id: session.id, words });

        const ended = await work.transaction(async (tx) => {
          // With another tracker this is its own transaction, so only this read is current.
          const current = await tx.runs.find(within, session.id);
          if (current?.ended_at !== null) {
            throw new ErrandError('conflict', `Work session ${session.id} was finished by another call.`);
          }
          const done = { ...current, project_id: session.project_id, ...finished(words, tx.now) };
          await changeRun({ tx, caller: work.caller }, current, done);
          return done;
        });
        work.changed(session, ended);
        return {
          session: ended,
          comment: reported?.comment ?? null,
          is_note_whole: reported?.is_note_whole ?? true,
        };
      });
    },
  };
}
