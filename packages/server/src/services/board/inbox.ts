import type { ProjectId } from '#domain/ids';
import type { InboxKind, InboxRow } from '#domain/inbox';
import { fittingRows, type PageOf, type PageRequest, readPage, unlessSized } from '#services/pages';
import type { Ports } from '#services/ports';
import type { ReadWork } from '#services/work';

interface Inbox extends PageOf<InboxRow> {
  readonly counts: Readonly<Record<InboxKind, number>>;
}

const POSITION = /^(\d{1,15}):(.{1,64})$/;

/** What waits for a person in the projects of the caller, newest first. A caller within an attempt sees that of its own. */
export const createInbox =
  ({ cursors }: Ports) =>
  async (
    work: ReadWork,
    { project_id, ...page }: PageRequest & { readonly project_id?: ProjectId | undefined },
  ): Promise<Inbox> => {
    const { tx, within } = work;
    // Naming a project checks the reach.
    if (project_id !== undefined) work.rightsIn(project_id);
    const only = { project_id: project_id ?? null, attempt_id: work.caller.attempt_id };
    const { rows, ...more } = await readPage(cursors, page, {
      name: `inbox:${work.caller.principal_id}:${project_id ?? ''}`,
      read: async ({ after, limit }) => {
        const [, since, id] = POSITION.exec(after ?? '') ?? [];
        const before = since === undefined || id === undefined ? null : { since: Number(since), id };
        const found = await tx.inbox.list(within, { ...only, before, limit });
        return found.map((row) => ({ id: `${row.since}:${row.id}`, row }));
      },
      fitting: unlessSized(fittingRows),
    });
    return { rows: rows.map(({ row }) => row), ...more, counts: await tx.inbox.counts(within, only) };
  };
