import { fitting, ROOM, shortText } from '#domain/answer-size';
import type { ProjectId, RunId } from '#domain/ids';
import { type PageOf, type PageRequest, readPage } from '#services/pages';
import type { Ports } from '#services/ports';
import type { ReadWork } from '#services/work';
import type { Author } from './adapter.ts';
import { authorOf } from './local-issues.ts';
import { onlyIn, projectOf } from './lookup.ts';

/** The report of an agent that finished a work session. */
export interface WorkReport {
  readonly id: RunId;
  /** The issue of the session; null for a session about the whole project. */
  readonly work_item_id: string | null;
  readonly reporter: Author | null;
  readonly started_at: number;
  readonly ended_at: number;
  readonly summary: string;
  /** Whether `summary` is only the beginning of the report. */
  readonly is_cut: boolean;
}

interface ReportQuery extends PageRequest {
  readonly project_id: ProjectId;
  /** Returns every report whole, whatever its length. */
  readonly is_whole: boolean;
}

const MAX_SHORT_SUMMARY = 400;

/** The reports of finished work sessions, for people and agents that may read the project. */
export function createWorkReports({ cursors }: Pick<Ports, 'cursors'>) {
  return {
    list: async (work: ReadWork, { project_id, is_whole, ...page }: ReportQuery): Promise<PageOf<WorkReport>> => {
      const { tx } = work;
      const project = await projectOf(work, project_id);
      return readPage(cursors, page, {
        name: `work reports:${work.caller.principal_id}:${project.id}`,
        read: async ({ after, limit }) => {
          // Safe: the cursor is signed, and holds the id of a row of this list.
          const before = after as RunId | null;
          const sessions = await tx.runs.reports(onlyIn(work.within, project.id), { before, limit });
          return Promise.all(
            sessions.map(async (session): Promise<WorkReport> => {
              const { id, work_item_id, started_at } = session;
              const whole = session.summary ?? '';
              const summary = is_whole ? whole : shortText(whole, MAX_SHORT_SUMMARY);
              const reporter = await authorOf(tx, session);
              const ended_at = session.ended_at ?? started_at;
              return { id, work_item_id, reporter, started_at, ended_at, summary, is_cut: summary !== whole };
            }),
          );
        },
        fitting: (reports) => Math.max(1, fitting(reports, ROOM.page)),
      });
    },
  };
}
