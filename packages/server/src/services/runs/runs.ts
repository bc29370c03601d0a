import { say } from '#advice';
import type { ProjectId, RunId, WorkItemId } from '#domain/ids';
import { plainLine, plainText } from '#domain/plain-text';
import { refusal } from '#domain/refusal';
import { type FeedEntry, isOver, type Liveness, newRun, type Run, type RunStatus } from '#domain/run';
import { type ReportRefusal, reportedStatus } from '#domain/run-machine';
import { mayReportIn, readableRuns } from '#domain/run-visibility';
import { type Usage, usageAfter } from '#domain/usage';
import { ErrandError } from '#errors';
import { type PageOf, type PageRequest, readPage } from '#services/pages';
import type { Ports } from '#services/ports';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { projectOf } from '#services/tasker/lookup';
import type { ReadWork, WriteWork } from '#services/work';
import { changeRun } from './change-run.ts';
import { addEntry } from './feed.ts';
import { checkReport, keepReported, mayNotReportThere } from './keep-reported.ts';
import { type KeyedRun, keyedRun, keyedRuns } from './keyed-runs.ts';
import { numberedPage } from './numbered-page.ts';
import { readable, reported, signOfLife } from './reported-run.ts';
import { runEvent } from './run-events.ts';
import { createSteps } from './steps.ts';

interface NewRun {
  readonly name?: string | undefined;
  readonly project_id?: ProjectId | undefined;
  readonly work_item_id?: string | undefined;
}

interface RunChange {
  readonly session_id?: string | undefined;
  readonly worktree_path?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly reason?: string | undefined;
  readonly summary?: string | undefined;
  readonly usage?: Usage | undefined;
}

interface RunFilter extends PageRequest {
  readonly status?: RunStatus | undefined;
  readonly liveness?: Liveness | undefined;
  readonly project_id?: ProjectId | undefined;
  readonly work_item_id?: string | undefined;
}

/** The given fields, as they are stored. */
function changesOf(
  before: Run,
  { session_id, worktree_path, status, reason, summary, usage }: RunChange,
): Partial<Run> {
  return {
    ...(session_id !== undefined && { agent_session_id: plainLine('session_id', session_id) }),
    ...(worktree_path !== undefined && { worktree_path: plainLine('worktree_path', worktree_path) }),
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason: plainLine('reason', reason) }),
    ...(summary !== undefined && { summary: plainText('summary', summary) }),
    ...(usage !== undefined && { usage: usageAfter(before.usage, usage) }),
  };
}

/** Runs of agents: their data and their reports. */
export function createRuns(ports: Ports, { is_local }: Pick<TaskerAdapter, 'is_local'>) {
  const { ids, cursors } = ports;
  const steps = createSteps(ports);

  /** The project of a new run: that of its work item, if it has one. */
  async function projectFor(work: WriteWork, { project_id, work_item_id }: NewRun): Promise<ProjectId | null> {
    const project = project_id === undefined ? null : await projectOf(work, project_id);
    if (work_item_id === undefined) return project?.id ?? null;
    if (!is_local) {
      if (project !== null) return project.id;
      throw refusal('project_id', 'is required with a work item of another tracker');
    }
    // Safe: an id that is no task is not found.
    const item = await work.tx.workItems.find(work.within, work_item_id as WorkItemId);
    if (item !== null && (project_id ?? item.project_id) === item.project_id) {
      work.rightsIn(item.project_id);
      return item.project_id;
    }
    throw refusal('work_item_id', 'names no task or issue that you may see there');
  }

  return {
    ...steps,

    /** Rejects when the store does not answer. */
    check: async ({ tx }: ReadWork): Promise<void> => {
      await tx.workspaces.first();
    },

    create: async (work: WriteWork, fresh: NewRun): Promise<KeyedRun> => {
      const { caller, tx } = work;
      if (caller.attempt_id !== null) throw hasRun();
      const project_id = await projectFor(work, fresh);
      if (!mayReportIn(caller, project_id)) throw mayNotReportThere();
      // The client that creates a run seldom is the one that runs it: its facts are taken from the first report.
      const run = newRun({
        kind: 'external',
        id: ids(),
        workspace_id: caller.workspace_id,
        name: fresh.name === undefined ? null : plainLine('name', fresh.name),
        project_id,
        work_item_id: fresh.work_item_id ?? null,
        user_id: caller.user_id,
        agent_id: caller.agent_id,
        service_id: caller.kind === 'service' ? caller.principal_id : null,
        started_at: tx.now,
      });
      await tx.runs.insert(run);
      tx.emit(runEvent('created', run, caller));
      work.changed(null, run);
      return keyedRun(work, run);
    },

    /** Throws when the caller may not report on this run. */
    recheck: async (work: WriteWork, id: RunId): Promise<void> => {
      await reported(work, id);
    },

    get: async (work: ReadWork, id: RunId): Promise<KeyedRun> => keyedRun(work, await readable(work, id)),

    list: async (work: ReadWork, { limit, cursor, ...filter }: RunFilter): Promise<PageOf<KeyedRun>> => {
      const { rows, ...more } = await readPage(
        cursors,
        { limit, cursor },
        {
          name: `executions ${work.caller.principal_id} ${JSON.stringify(filter)}`,
          read: (page) =>
            work.tx.runs.list(readableRuns(work.caller), {
              ...filter,
              // Safe: the id in a cursor of this list is one of its runs.
              before: page.after as RunId | null,
              limit: page.limit,
            }),
        },
      );
      return { rows: await keyedRuns(work, rows), ...more };
    },

    update: async (
      work: WriteWork,
      id: RunId,
      change: RunChange,
    ): Promise<KeyedRun & { readonly warning?: string }> => {
      if (Object.values(change).every((value) => value === undefined)) {
        throw new ErrandError('validation_error', 'Give at least one field to change.');
      }
      const before = await reported(work, id);
      const changes = changesOf(before, change);
      const alive = signOfLife(work, before);
      await checkReport(work, before, change);
      if (isOver(before.status) && rewrites(before, changes)) throw hasEnded(before);
      const next = reportedStatus(before, changes.status);
      if ('refused' in next) throw REFUSALS[next.refused](before);
      const { status } = next;

      const after = {
        ...alive,
        status,
        // Clear the reason: it belonged to the previous status.
        ...(status !== before.status && { reason: null }),
        ...changes,
        ended_at: isOver(status) ? (before.ended_at ?? work.tx.now) : null,
      };
      if (status === alive.status && !hasNews(before, changes)) {
        return keyedRun(work, await steps.keepAlive(work, before));
      }
      await changeRun(work, before, after);
      const { run, warning } =
        change.usage === undefined ? { run: after, warning: null } : await keepReported(work, ports, after);
      work.changed(before, run);
      return { ...(await keyedRun(work, run)), ...(warning !== null && { warning }) };
    },

    /** Adds an entry to the feed, also after the end of the run. */
    append: async (
      work: WriteWork,
      id: RunId,
      { kind, text }: Pick<FeedEntry, 'kind' | 'text'>,
    ): Promise<FeedEntry> => {
      const run = await steps.keepAlive(work, await reported(work, id));
      const entry = await addEntry(work, run, { kind, text: plainText('text', text) });
      work.changed(null, entry);
      return entry;
    },

    feed: async (work: ReadWork, id: RunId, page: PageRequest): Promise<PageOf<FeedEntry>> => {
      const run = await readable(work, id);
      return numberedPage(cursors, page, {
        name: `feed ${work.caller.principal_id} ${id}`,
        read: (part) => work.tx.runs.feed(run, part),
      });
    },
  };
}

/** Whether a report says what is not known already. */
const hasNews = (before: Run, changes: Partial<Run>): boolean =>
  // The cast: `Object.entries` forgets the names of the fields.
  Object.entries(changes).some(([field, value]) => before[field as keyof Run] !== value);

/** Whether a report after the end would replace a field that is set. The cost, and fields without a value, may still be set. */
const rewrites = (before: Run, { usage: _, ...changes }: Partial<Run>): boolean =>
  Object.entries(changes).some(([field, value]) => {
    // The cast: `Object.entries` forgets the names of the fields.
    const known = before[field as keyof Run];
    return known !== null && known !== value;
  });

const hasEnded = ({ id, status }: Run): ErrandError =>
  new ErrandError('conflict', `Execution ${id} has ended (${status}).`, {
    hint: 'What was said of it stays: only its cost, and what is not known of it yet, can still be reported.',
  });

const isWatched = ({ id }: Run): ErrandError =>
  new ErrandError('conflict', `Execution ${id} runs here: its worker reports how it stands, and no caller can.`, {
    hint: [
      say`Leave ${{ field: 'status' }} out. It ends when its agent does.`,
      say`${{ tool: 'stop_attempt' }} ends it before.`,
    ],
  });

const goesBack = (): ErrandError =>
  refusal('status', 'cannot go back to queued', 'Leave it out, or say how the run ended.');

const REFUSALS: Readonly<Record<ReportRefusal, (run: Run) => ErrandError>> = {
  has_ended: hasEnded,
  is_own: isWatched,
  goes_back: goesBack,
};

const hasRun = (): ErrandError =>
  new ErrandError('insufficient_scope', 'This token belongs to a run already, and cannot make others.', {
    hint: 'Report to your own run: its id is in NOVA_EXECUTION_ID.',
  });
